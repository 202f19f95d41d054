from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.platform.settings import ApiSettings
from api.testing.processes.webhook_receiver import WebhookReceiver, running_receiver


@pytest.fixture(scope="session")
def started_receiver() -> Iterator[WebhookReceiver]:
    with running_receiver() as receiver:
        yield receiver


@pytest.fixture
def receiver(started_receiver: WebhookReceiver) -> WebhookReceiver:
    started_receiver.reset()
    return started_receiver


@pytest.fixture
def settings(settings: ApiSettings) -> ApiSettings:
    """The receiver is on loopback."""
    return settings.model_copy(update={"webhooks_private": True})
