"""What people do with webhooks, through the API."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update

from api.people.webhooks.delivery import WebhookSender
from api.people.webhooks.models import DeliveryState, WebhookDelivery
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.webhooks.events import EventType
from api.testing.browser import Browser

EVERY = list(EventType)


async def add(browser: Browser, url: str, events: list[EventType] | None = None, **more: Any) -> dict[str, Any]:
    """Add a webhook, by default for all events. Returns it with its secret."""
    answer = await browser.post("/api/webhooks", json={"url": url, "events": events or EVERY, **more})
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def deliveries(browser: Browser, webhook: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await browser.get(f"/api/webhooks/{webhook['id']}/deliveries")
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


async def send_all(state: AppState) -> None:
    """Do at once what the dispatcher does, debounced events included."""
    await make_due(state)
    sender = WebhookSender(state.database, state.settings)
    while await sender.send_due():
        pass


async def make_due(state: AppState) -> None:
    """Let the time pass that deliveries wait."""
    async with state.database.write() as session:
        waiting = update(WebhookDelivery).where(WebhookDelivery.state == DeliveryState.WAITING)
        await session.execute(waiting.values(due_at=clock.now(-1)))
