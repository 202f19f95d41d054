"""Webhooks of a person or a team: add, change, test, and see what was delivered."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from api.people.auth.attempts import Limit, SharedAttempts
from api.people.auth.viewer import SignedIn
from api.people.webhooks import queries, service
from api.people.webhooks.models import WebhookDelivery
from api.people.webhooks.schemas import (
    DeliveryOut,
    EventOut,
    NewWebhook,
    WebhookChange,
    WebhookOut,
    WebhookWithSecret,
    describe,
    describe_delivery,
    event_list,
    with_secret,
)
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/webhooks", tags=["webhooks"])

TESTS = Limit("webhook tests", 20, 60.0)
"""Test events and repeats that one person sends."""


@router.get("", responses=error_responses(401, 403, 404, 422))
async def list_webhooks(
    viewer: SignedIn, session: ReadSession, team_id: Annotated[uuid.UUID | None, Query()] = None
) -> Data[list[WebhookOut]]:
    """The webhooks of a team in which you may change things, or without `team_id` your own."""
    queries.require_team(viewer, team_id)
    rows = await queries.listed(session, viewer.user_id, team_id)
    newest = await queries.newest(session, [row.id for row in rows])
    return Data(data=[describe(row, newest.get(row.id)) for row in rows])


@router.get("/events", responses=error_responses(401, 422))
async def list_events(_viewer: SignedIn) -> Data[list[EventOut]]:
    """What webhooks can report."""
    return Data(data=event_list())


@router.post("", status_code=201, responses=error_responses(401, 403, 404, 419, 422))
async def add_webhook(
    body: NewWebhook, viewer: SignedIn, session: WriteSession, state: State
) -> Data[WebhookWithSecret]:
    """Add a webhook. Only this answer and that of a new secret hold its secret."""
    return Data(data=with_secret(*await service.add(session, state.settings, viewer, body)))


@router.patch("/{webhook_id}", responses=error_responses(401, 403, 404, 419, 422))
async def change_webhook(
    webhook_id: uuid.UUID, body: WebhookChange, viewer: SignedIn, session: WriteSession, state: State
) -> Data[WebhookOut]:
    endpoint = await service.change(session, state.settings, viewer, webhook_id, body)
    return Data(data=describe(endpoint, (await queries.newest(session, [endpoint.id])).get(endpoint.id)))


@router.delete("/{webhook_id}", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def delete_webhook(webhook_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    await service.remove(session, viewer, webhook_id)


@router.post("/{webhook_id}/secret", responses=error_responses(401, 403, 404, 419, 422))
async def change_secret(
    webhook_id: uuid.UUID, viewer: SignedIn, session: WriteSession, state: State
) -> Data[WebhookWithSecret]:
    """Make a new secret. For 24 hours, messages are signed with the former one too."""
    return Data(data=with_secret(*await service.rotate(session, state.settings, viewer, webhook_id)))


@router.post("/{webhook_id}/test", status_code=202, responses=error_responses(401, 403, 404, 409, 419, 422, 429))
async def test_webhook(
    webhook_id: uuid.UUID, viewer: SignedIn, state: State, attempts: SharedAttempts
) -> Data[DeliveryOut]:
    """Send the event `webhook.test`. Unlike others, it is tried once."""
    await attempts.add(state.database, (TESTS, str(viewer.user_id)))
    async with state.database.write() as session:
        return _delivery_answer(await service.test(session, viewer, webhook_id))


@router.get("/{webhook_id}/deliveries", responses=error_responses(401, 403, 404, 422))
async def list_deliveries(
    webhook_id: uuid.UUID, viewer: SignedIn, session: ReadSession, query: Annotated[PageQuery, Query()]
) -> Page[DeliveryOut]:
    """What was sent in the last 30 days and what waits, the newest first."""
    endpoint = await queries.find(session, viewer, webhook_id)
    rows, total = await queries.deliveries(session, endpoint, query)
    return page_of([describe_delivery(row) for row in rows], query, total)


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/resend",
    status_code=202,
    responses=error_responses(401, 403, 404, 409, 419, 422, 429),
)
async def resend_delivery(
    webhook_id: uuid.UUID, delivery_id: uuid.UUID, viewer: SignedIn, state: State, attempts: SharedAttempts
) -> Data[DeliveryOut]:
    """Send a message again, with the same `webhook-id`."""
    await attempts.add(state.database, (TESTS, str(viewer.user_id)))
    async with state.database.write() as session:
        return _delivery_answer(await service.resend(session, viewer, webhook_id, delivery_id))


def _delivery_answer(delivery: WebhookDelivery) -> Data[DeliveryOut]:
    return Data(data=describe_delivery(delivery))
