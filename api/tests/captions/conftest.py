from __future__ import annotations

from collections.abc import Sequence

import pytest

from api.content.captions.editing import presence
from api.platform.realtime.publisher import ChannelEvent, Publisher


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[ChannelEvent]:
    """What reaches the relay."""
    presence._calls.clear()
    events: list[ChannelEvent] = []

    async def publish(self: Publisher, batch: Sequence[ChannelEvent]) -> None:
        events.extend(batch)

    monkeypatch.setattr(Publisher, "publish", publish)
    return events
