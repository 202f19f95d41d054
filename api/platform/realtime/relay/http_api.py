"""The signed Pusher HTTP API: servers publish events, query channels, and end a user's connections."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from api.platform.realtime.relay.events import Overfull, Publication
from api.platform.realtime.relay.limits import Bucket
from api.platform.realtime.relay.protocol import MAX_MESSAGE_BYTES, PRESENCE_PREFIX, USER_PREFIX
from api.platform.realtime.relay.server import Relay
from api.platform.realtime.relay.signed_calls import CallRefused, signed_body
from api.platform.realtime.relay.subscriptions import is_channel
from api.platform.realtime.signing import CHANNEL_NAME, SOCKET_ID

MAX_BATCH = 10
MAX_EVENT_CHANNELS = 100
MAX_EVENT_NAME = 200
USER_COUNT = "user_count"
SUBSCRIPTION_COUNT = "subscription_count"

Call = Callable[[Relay, Request, dict[str, Any]], Awaitable[dict[str, Any]]]


async def _events(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    event = _checked(body)
    wanted = _requested_attributes(body.get("info"), presence_only=False)
    await relay.peers.publish([event])
    if not wanted:
        return {}
    return {"channels": {name: _attributes(relay, name, await _count(relay, name), wanted) for name in event.channels}}


async def _batch_events(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    batch = body.get("batch")
    if not isinstance(batch, list) or not all(isinstance(event, dict) for event in batch):
        raise CallRefused(400, "The body needs `batch`, a list of events.")
    if len(batch) > MAX_BATCH:
        raise CallRefused(413, f"A batch may hold {MAX_BATCH} events at most.")
    await relay.peers.publish([_checked(event) for event in batch])
    return {}


async def _channels(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    prefix = request.query_params.get("filter_by_prefix", "")
    is_presence = prefix.startswith(PRESENCE_PREFIX)
    wanted = _requested_attributes(request.query_params.get("info"), presence_only=not is_presence)
    counts = sorted((await relay.peers.counts(prefix=prefix)).items())
    listed = [(name, count) for name, count in counts if not name.startswith(USER_PREFIX)]
    return {"channels": {name: _attributes(relay, name, count, wanted) for name, count in listed}}


async def _channel(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    name = _channel_name(request)
    wanted = _requested_attributes(request.query_params.get("info"), presence_only=not name.startswith(PRESENCE_PREFIX))
    count = await _count(relay, name)
    return {"occupied": count > 0, **_attributes(relay, name, count, wanted)}


async def _users(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    name = _channel_name(request)
    if not name.startswith(PRESENCE_PREFIX):
        raise CallRefused(400, "Only presence channels have users.")
    return {"users": [{"id": user} for user in relay.presence.members(name)]}


async def _terminate(relay: Relay, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    await relay.peers.terminate(request.path_params["user_id"])
    return {}


def http_routes(relay: Relay) -> list[BaseRoute]:
    rate = relay.limits.calls_per_s
    calls = Bucket(rate, rate, 0.0) if rate else None

    def route(path: str, call: Call, method: str) -> Route:
        async def answer(request: Request) -> JSONResponse:
            try:
                body = await signed_body(request, relay.application)
                # Counted after the signature check, so that strangers cannot use up our own servers' quota.
                if calls is not None and not calls.take(asyncio.get_running_loop().time()):
                    raise CallRefused(429, "Too many calls a second. Try again.", {"Retry-After": "1"})
                return JSONResponse(await call(relay, request, body))
            except CallRefused as refused:
                return JSONResponse({"message": refused.message}, status_code=refused.status, headers=refused.headers)
            except Overfull:
                message = "The relay's processes cannot reach each other. Try again."
                return JSONResponse({"message": message}, status_code=503, headers={"Retry-After": "1"})

        return Route(path, answer, methods=[method])

    return [
        route("/apps/{app_id}/events", _events, "POST"),
        route("/apps/{app_id}/batch_events", _batch_events, "POST"),
        route("/apps/{app_id}/channels", _channels, "GET"),
        route("/apps/{app_id}/channels/{name}", _channel, "GET"),
        route("/apps/{app_id}/channels/{name}/users", _users, "GET"),
        route("/apps/{app_id}/users/{user_id}/terminate_connections", _terminate, "POST"),
        route("/users/{user_id}/terminate_connections", _terminate, "POST"),
    ]


def _checked(event: dict[str, Any]) -> Publication:
    """Raises `CallRefused` when a part of the event is invalid."""
    names = event.get("channels", [event.get("channel")])
    if not isinstance(names, list) or not 0 < len(names) <= MAX_EVENT_CHANNELS:
        raise CallRefused(400, f"An event needs 1 to {MAX_EVENT_CHANNELS} channels.")
    if not all(isinstance(name, str) and is_channel(name) for name in names):
        raise CallRefused(400, "A channel name is not valid.")
    name, data = event.get("name"), event.get("data")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_EVENT_NAME:
        raise CallRefused(400, f"An event needs a name of 1 to {MAX_EVENT_NAME} characters.")
    if not isinstance(data, str):
        raise CallRefused(400, "The data of an event is a string.")
    if len(data.encode(errors="replace")) > MAX_MESSAGE_BYTES:
        raise CallRefused(413, f"The data of an event may be {MAX_MESSAGE_BYTES} bytes at most.")
    socket_id = event.get("socket_id")
    if socket_id is not None and not (isinstance(socket_id, str) and SOCKET_ID.fullmatch(socket_id)):
        raise CallRefused(400, "The socket id is not one.")
    return Publication(tuple(names), name, data, socket_id)


def _requested_attributes(info: object, *, presence_only: bool) -> frozenset[str]:
    """The attributes named in `info`. With `presence_only`, those of presence channels are not allowed."""
    names = frozenset(str(info).split(",")) if info else frozenset()
    if presence_only and USER_COUNT in names:
        raise CallRefused(400, f"Only presence channels have a {USER_COUNT}: filter by a prefix `{PRESENCE_PREFIX}`.")
    return names


def _attributes(relay: Relay, name: str, count: int, wanted: Collection[str]) -> dict[str, int]:
    found = {}
    if USER_COUNT in wanted and name.startswith(PRESENCE_PREFIX):
        found[USER_COUNT] = len(relay.presence.members(name))
    if SUBSCRIPTION_COUNT in wanted:
        found[SUBSCRIPTION_COUNT] = count
    return found


async def _count(relay: Relay, name: str) -> int:
    return (await relay.peers.counts(name=name)).get(name, 0)


def _channel_name(request: Request) -> str:
    name = str(request.path_params["name"])
    if not CHANNEL_NAME.fullmatch(name):
        raise CallRefused(400, "A channel name is not valid.")
    return name
