"""Events for webhooks, written in the transaction of what they report and sent after its commit."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import Owned
from api.people.access.rules import of_owner
from api.people.webhooks.models import DeliveryState, WebhookDelivery, WebhookEndpoint
from api.platform.db import clock
from api.platform.webhooks.events import WebhookEvent


async def emit(session: AsyncSession, owned: Owned, event: WebhookEvent) -> None:
    """Queue the event for the endpoints of whoever owns the thing. Costs one read where there are none."""
    statement = select(WebhookEndpoint).where(
        of_owner(owned.user_id, owned.team_id, WebhookEndpoint), WebhookEndpoint.is_enabled
    )
    for endpoint in await session.scalars(statement):
        if event.type in endpoint.events:
            await queue(session, endpoint, event)


async def queue(session: AsyncSession, endpoint: WebhookEndpoint, event: WebhookEvent) -> WebhookDelivery:
    """Queue an event for one endpoint, in place of one of its group that nobody has begun to send."""
    earlier = await _earlier(session, endpoint, event)
    if earlier is not None:
        data = event.after(earlier.data).model_dump(mode="json")
        statement = (
            update(WebhookDelivery)
            # A dispatcher may have begun with it since.
            .where(WebhookDelivery.id == earlier.id, WebhookDelivery.attempts == 0)
            .values(data=data)
            .returning(WebhookDelivery.id)
        )
        if await session.scalar(statement) is not None:
            return earlier
    delivery = WebhookDelivery(
        endpoint_id=endpoint.id,
        event=event.type,
        data=event.model_dump(mode="json"),
        event_group=event.group,
        due_at=clock.now(event.wait_s),
    )
    session.add(delivery)
    await session.flush()
    return delivery


async def _earlier(session: AsyncSession, endpoint: WebhookEndpoint, event: WebhookEvent) -> WebhookDelivery | None:
    if event.group is None:
        return None
    statement = select(WebhookDelivery).where(
        WebhookDelivery.endpoint_id == endpoint.id,
        WebhookDelivery.event == event.type,
        WebhookDelivery.event_group == event.group,
        WebhookDelivery.state == DeliveryState.WAITING,
        WebhookDelivery.attempts == 0,
    )
    return (await session.scalars(statement.limit(1))).one_or_none()
