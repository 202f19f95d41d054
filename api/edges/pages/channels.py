from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from api.people.auth.viewer import SignedIn
from api.platform.http.errors import Forbidden, error_responses
from api.platform.http.state import State
from api.platform.realtime import service
from api.platform.realtime.schemas import ChannelAuth, ChannelRequest

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
    """Sign a subscription to the viewer's channel. pusher-js sends a form, the front end's own client JSON."""
    wanted = await _channel_request(request)
    return service.authorize(
        state.settings, viewer.user_id, viewer.session_id, socket_id=wanted.socket_id, channel=wanted.channel_name
    )


async def _channel_request(request: Request) -> ChannelRequest:
    body: Any
    try:
        if request.headers.get("content-type", "").startswith("application/json"):
            body = await request.json()
        else:
            body = dict(await request.form())
        return ChannelRequest.model_validate(body)
    except (ValueError, RecursionError):
        # Not JSON, nested too deeply, a number with too many digits, or missing fields: all refused alike.
        raise Forbidden from None
