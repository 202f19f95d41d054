"""Each event is reported to the endpoints of whoever owns the file, and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.state import AppState
from api.testing.browser import Browser
from api.testing.transcribed import captioned_file
from api.testing.webhook_receiver import WebhookReceiver
from api.tests.webhooks.calls import add, deliveries, send_all

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def reported(browser: Browser, webhook: dict[str, Any]) -> list[str]:
    """The types of a webhook's messages, the oldest first."""
    return [each["event"] for each in reversed(await deliveries(browser, webhook))]


async def test_a_file_is_reported_from_its_upload_to_its_end(
    ada: Browser, bob: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook, others = await add(ada, receiver.url), await add(bob, receiver.url)
    file = await captioned_file(state, ada.user_id, "One line.", "Another line.")
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 204
    gone = await ada.request("POST", "/api/files/bin/purge", json={"ids": [str(file.id)]})
    assert gone.status_code < 300, gone.text
    await send_all(state)
    said = [each.verified(webhook["secret"]) for each in receiver.messages]
    by_type = {each["type"]: each["data"] for each in said}
    assert await reported(ada, webhook) == ["file.created", "file.transcribed", "file.deleted", "file.deleted"]
    assert by_type["file.created"]["file"] | {"created_at": ""} == {
        "id": file.slug,
        "name": file.name,
        "status": "waiting",
        "language": "en-US",
        "duration_ms": None,
        "team_id": None,
        "created_at": "",
    }
    assert by_type["file.transcribed"]["lines"] == 2
    assert by_type["file.transcribed"]["file"]["duration_ms"] == 60_000
    assert sorted(each["data"]["permanent"] for each in said if each["type"] == "file.deleted") == [False, True]
    assert await deliveries(bob, others) == []
