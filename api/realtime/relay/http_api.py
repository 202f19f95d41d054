"""The signed Pusher HTTP API with which servers publish: `events` and `batch_events`."""

from __future__ import annotations

import hmac
import json
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from api.realtime.relay.channels import Channels
from api.realtime.relay.protocol import MAX_MESSAGE_BYTES
from api.realtime.signing import AUTH_VERSION, CHANNEL_NAME, body_md5, sign_call

MAX_CLOCK_DIFFERENCE_S = 600
MAX_BATCH = 10
MAX_EVENT_CHANNELS = 100
MAX_EVENT_NAME = 200
MAX_BODY_BYTES = 1_000_000


class CallRefused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


async def publish_event(request: Request, channels: Channels) -> JSONResponse:
    try:
        _send(channels, await _signed_body(request, channels))
    except CallRefused as refused:
        return JSONResponse({"message": refused.message}, status_code=refused.status)
    return JSONResponse({})


async def publish_batch(request: Request, channels: Channels) -> JSONResponse:
    try:
        body = await _signed_body(request, channels)
        batch = body.get("batch")
        if not isinstance(batch, list) or not all(isinstance(event, dict) for event in batch):
            raise CallRefused(400, "The body needs `batch`, a list of events.")
        if len(batch) > MAX_BATCH:
            raise CallRefused(413, f"A batch may hold {MAX_BATCH} events at most.")
        checked = [_checked(event) for event in batch]
    except CallRefused as refused:
        return JSONResponse({"message": refused.message}, status_code=refused.status)
    for event in checked:
        _deliver(channels, event)
    return JSONResponse({})


async def _signed_body(request: Request, channels: Channels) -> dict[str, Any]:
    mine = channels.application
    if request.path_params["app_id"] != mine.app_id:
        raise CallRefused(404, "There is no application of this id.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY_BYTES:
            raise CallRefused(413, "The body is too large.")
    _check_signature(request, bytes(body), key=mine.key, secret=mine.secret)
    try:
        parsed = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise CallRefused(400, "The body is not JSON.") from None
    if not isinstance(parsed, dict):
        raise CallRefused(400, "The body is not a JSON object.")
    return parsed


def _check_signature(request: Request, body: bytes, *, key: str, secret: str) -> None:
    query = dict(request.query_params)
    given = query.pop("auth_signature", "")
    expected = sign_call(secret, method=request.method, path=request.url.path, query=query)
    if not hmac.compare_digest(given.encode(), expected.encode()) or query.get("auth_key") != key:
        raise CallRefused(401, "The signature does not fit. Check the key and the secret.")
    if query.get("auth_version") != AUTH_VERSION or query.get("body_md5") != body_md5(body):
        raise CallRefused(401, "The signature does not cover this body.")
    stamp = query.get("auth_timestamp", "")
    if not (stamp.isascii() and stamp.isdigit()) or abs(time.time() - int(stamp)) > MAX_CLOCK_DIFFERENCE_S:
        raise CallRefused(401, "The call is too old. Check the clocks of both servers.")


def _checked(event: dict[str, Any]) -> dict[str, Any]:
    """The event with its channels as a list; `CallRefused` when a part of it is not right."""
    names = event.get("channels", [event.get("channel")])
    if not isinstance(names, list) or not 0 < len(names) <= MAX_EVENT_CHANNELS:
        raise CallRefused(400, f"An event needs 1 to {MAX_EVENT_CHANNELS} channels.")
    if not all(isinstance(name, str) and CHANNEL_NAME.fullmatch(name) for name in names):
        raise CallRefused(400, "A channel name is not valid.")
    name, data = event.get("name"), event.get("data")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_EVENT_NAME:
        raise CallRefused(400, f"An event needs a name of 1 to {MAX_EVENT_NAME} characters.")
    if not isinstance(data, str):
        raise CallRefused(400, "The data of an event is a string.")
    if len(data.encode(errors="replace")) > MAX_MESSAGE_BYTES:
        raise CallRefused(413, f"The data of an event may be {MAX_MESSAGE_BYTES} bytes at most.")
    socket_id = event.get("socket_id")
    if socket_id is not None and not isinstance(socket_id, str):
        raise CallRefused(400, "The socket id is a string.")
    return {**event, "channels": names}


def _send(channels: Channels, event: dict[str, Any]) -> None:
    _deliver(channels, _checked(event))


def _deliver(channels: Channels, event: dict[str, Any]) -> None:
    for channel in event["channels"]:
        channels.publish(channel, event["name"], event["data"], but=event.get("socket_id"))
