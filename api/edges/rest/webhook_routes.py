"""REST v1: webhooks."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.edges.rest.schemas import WebhookWanted
from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.scopes import Scope
from api.people.webhooks import queries, service
from api.people.webhooks.schemas import NewWebhook, WebhookOut, WebhookWithSecret, describe, with_secret
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/v1/webhooks", tags=["webhooks"], dependencies=[requires(Scope.WEBHOOKS)])


@router.get("")
async def list_rest_webhooks(caller: ApiCaller, session: ReadSession) -> Data[list[WebhookOut]]:
    """The webhooks of the key's person, or of its team."""
    viewer = caller.viewer
    queries.require_team(viewer, viewer.team_id)
    rows = await queries.listed(session, viewer.user_id, viewer.team_id)
    newest = await queries.newest(session, [row.id for row in rows])
    return Data(data=[describe(row, newest.get(row.id)) for row in rows])


@router.post("", status_code=201)
async def add_rest_webhook(
    body: WebhookWanted, caller: ApiCaller, session: WriteSession, state: State
) -> Data[WebhookWithSecret]:
    """Add a webhook. Only this answer holds its secret."""
    new = NewWebhook(url=body.url, name=body.name, events=body.events, team_id=caller.viewer.team_id)
    return Data(data=with_secret(*await service.add(session, state.settings, caller.viewer, new)))


@router.delete("/{webhook_id}", status_code=204, responses=error_responses(404))
async def delete_rest_webhook(webhook_id: uuid.UUID, caller: ApiCaller, session: WriteSession) -> None:
    await service.remove(session, caller.viewer, webhook_id)
