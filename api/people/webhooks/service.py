"""Add, change and remove endpoints, and send to them by hand."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.teams.models import Team
from api.people.users.models import User
from api.people.webhooks import queries
from api.people.webhooks.emission import queue
from api.people.webhooks.endings import turn_off
from api.people.webhooks.models import DeliveryState, WebhookDelivery, WebhookEndpoint
from api.people.webhooks.notices import host_of
from api.people.webhooks.schemas import NewWebhook, WebhookChange
from api.people.webhooks.transitions import DELIVERY_STATE
from api.platform.db import clock
from api.platform.http.errors import Conflict, Invalid
from api.platform.settings import ApiSettings
from api.platform.webhooks.addresses import checked_url
from api.platform.webhooks.events import TestEvent
from api.platform.webhooks.limits import ENDPOINTS_MAX, SECRET_OVERLAP
from api.platform.webhooks.signing import new_secret, seal
from cluster.wording.message import Message

FULL = Message("webhooks.full", "There are {count} webhooks, and no more fit. Delete one first.", count=ENDPOINTS_MAX)
IS_OFF = Message("webhooks.is_off", "This webhook is turned off. Turn it on first.")
UNDER_WAY = Message("webhooks.under_way", "This message is on its way already.")


async def add(
    session: AsyncSession, settings: ApiSettings, viewer: Viewer, body: NewWebhook
) -> tuple[WebhookEndpoint, str]:
    """Add an endpoint. Returns its secret too, which nobody can read later."""
    queries.require_team(viewer, body.team_id)
    url = checked_url(body.url, allow_private=settings.webhooks_private)
    # The owner's row is locked, so that two calls do not both take the last place.
    table, owner_id = (User, viewer.user_id) if body.team_id is None else (Team, body.team_id)
    await session.get(table, owner_id, with_for_update={"key_share": True})
    if len(await queries.listed(session, viewer.user_id, body.team_id)) >= ENDPOINTS_MAX:
        raise Invalid.field("url", FULL)
    secret = new_secret()
    endpoint = WebhookEndpoint(
        user_id=viewer.user_id,
        team_id=body.team_id,
        url=url,
        name=body.name,
        events=list(body.events),
        secret=seal(settings, secret),
    )
    session.add(endpoint)
    await session.flush()
    _record(session, viewer, AuditAction.WEBHOOK_ADDED, endpoint)
    return endpoint, secret


async def change(
    session: AsyncSession, settings: ApiSettings, viewer: Viewer, endpoint_id: uuid.UUID, body: WebhookChange
) -> WebhookEndpoint:
    endpoint = await queries.find(session, viewer, endpoint_id, hold=True)
    if body.url is not None:
        endpoint.url = checked_url(body.url, allow_private=settings.webhooks_private)
    if body.name is not None:
        endpoint.name = body.name
    if body.events is not None:
        endpoint.events = list(body.events)
    if body.is_enabled is False and endpoint.is_enabled:
        await turn_off(session, endpoint, None)
    elif body.is_enabled and not endpoint.is_enabled:
        endpoint.is_enabled = True
        endpoint.off_reason = endpoint.failing_since = endpoint.noticed_at = None
    fields = sorted(name for name in body.model_fields_set if getattr(body, name) is not None)
    if fields:
        _record(session, viewer, AuditAction.WEBHOOK_CHANGED, endpoint, fields=fields)
    await session.flush()
    return endpoint


async def remove(session: AsyncSession, viewer: Viewer, endpoint_id: uuid.UUID) -> None:
    """Delete an endpoint with its deliveries."""
    endpoint = await queries.find(session, viewer, endpoint_id, hold=True)
    _record(session, viewer, AuditAction.WEBHOOK_DELETED, endpoint)
    await session.execute(delete(WebhookEndpoint).where(WebhookEndpoint.id == endpoint.id))


async def rotate(
    session: AsyncSession, settings: ApiSettings, viewer: Viewer, endpoint_id: uuid.UUID
) -> tuple[WebhookEndpoint, str]:
    """Make a new secret. The one before it stays valid for a day."""
    endpoint = await queries.find(session, viewer, endpoint_id, hold=True)
    secret = new_secret()
    endpoint.former_secret = endpoint.secret
    endpoint.former_until = await session.scalar(select(clock.now(SECRET_OVERLAP.total_seconds())))
    endpoint.secret = seal(settings, secret)
    _record(session, viewer, AuditAction.WEBHOOK_SECRET_CHANGED, endpoint)
    await session.flush()
    return endpoint, secret


async def test(session: AsyncSession, viewer: Viewer, endpoint_id: uuid.UUID) -> WebhookDelivery:
    """Queue a test event, which is tried once."""
    endpoint = await _enabled(session, viewer, endpoint_id)
    delivery = await queue(session, endpoint, TestEvent())
    await session.refresh(delivery)
    return delivery


async def resend(
    session: AsyncSession, viewer: Viewer, endpoint_id: uuid.UUID, delivery_id: uuid.UUID
) -> WebhookDelivery:
    """Send a message again, under the same id, as if for the first time."""
    endpoint = await _enabled(session, viewer, endpoint_id)
    delivery = await queries.find_delivery(session, endpoint, delivery_id)
    if delivery.state is not DeliveryState.WAITING:
        DELIVERY_STATE.move(delivery, DeliveryState.WAITING)
        delivery.attempts = 0
    elif delivery.attempts == 0:
        raise Conflict(UNDER_WAY)
    # One that waits for its next attempt keeps its number of attempts, by which a late outcome is recognised.
    delivery.due_at = clock.now()
    await session.flush()
    await session.refresh(delivery)
    return delivery


async def _enabled(session: AsyncSession, viewer: Viewer, endpoint_id: uuid.UUID) -> WebhookEndpoint:
    endpoint = await queries.find(session, viewer, endpoint_id, hold=True)
    if not endpoint.is_enabled:
        raise Conflict(IS_OFF)
    return endpoint


def _record(
    session: AsyncSession, viewer: Viewer, action: AuditAction, endpoint: WebhookEndpoint, **details: object
) -> None:
    record_for(
        session,
        viewer,
        action,
        subject_id=endpoint.user_id,
        team_id=endpoint.team_id,
        object_kind="webhook",
        object_id=str(endpoint.id),
        host=host_of(endpoint),
        **details,
    )
