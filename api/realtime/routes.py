from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from api.auth.viewer import SignedIn
from api.http.envelope import Data
from api.http.errors import Forbidden, Unavailable, error_responses
from api.http.state import State
from api.realtime import service
from api.realtime.publisher import Publisher, RelayRefused, RelayUnavailable, event_for
from api.realtime.schemas import ChannelAuth, ChannelRequest, Initiated

router = APIRouter(prefix="/api", tags=["realtime"])

_BODY = {
    "required": True,
    "content": {
        kind: {"schema": ChannelRequest.model_json_schema()}
        for kind in ("application/json", "application/x-www-form-urlencoded")
    },
}


@router.post("/broadcasting/auth", responses=error_responses(401, 403, 419), openapi_extra={"requestBody": _BODY})
async def broadcasting_auth(request: Request, viewer: SignedIn, state: State) -> ChannelAuth:
    """pusher-js sends a form, the front end's own client JSON."""
    asked = await _channel_request(request)
    auth = service.authorize(state.settings, viewer.user_id, socket_id=asked.socket_id, channel=asked.channel_name)
    return ChannelAuth(auth=auth)


@router.get("/polling/initiate", responses=error_responses(401, 403, 503))
async def initiate(request: Request, viewer: SignedIn, state: State) -> Data[Initiated]:
    """Send the user's channel the current state of all unfinished work: the way back from missed events."""
    # It changes what pages show, so another site's page may not call it through a user's cookies.
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Forbidden
    async with state.database.read() as session:
        messages = await service.current_state(session, viewer.user_id)
    async with Publisher(state.settings) as publisher:
        try:
            await publisher.publish([event_for(viewer.user_id, message) for message in messages])
        except (RelayUnavailable, RelayRefused):
            raise Unavailable(headers={"Retry-After": "5"}) from None
    return Data(data=Initiated(sent=len(messages)))


async def _channel_request(request: Request) -> ChannelRequest:
    body: Any
    try:
        if request.headers.get("content-type", "").startswith("application/json"):
            body = await request.json()
        else:
            body = dict(await request.form())
        return ChannelRequest.model_validate(body)
    except (ValueError, RecursionError):
        # Not JSON, nested too deeply, a number of too many digits, or not what is needed: all the same here.
        raise Forbidden from None
