"""Send events to the relay, or to any other server with Pusher's HTTP API."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2

from api.platform.realtime.messages import EVENT, PollingMessage, channel_of
from api.platform.realtime.signing import AUTH_VERSION, body_md5, sign_call
from api.platform.settings import ApiSettings

BATCH = 10
"""Pusher's own limit for one call."""

TIMEOUT_S = 5.0


class RelayUnavailable(Exception):
    """The relay cannot take the events now, but may later."""


class RelayRefused(Exception):
    """The relay will never accept these events: bad credentials or a bad event."""


@dataclass(frozen=True, slots=True)
class ChannelEvent:
    channel: str
    data: dict[str, Any]
    name: str = EVENT


def event_for(user_id: uuid.UUID, message: PollingMessage) -> ChannelEvent:
    return ChannelEvent(channel_of(user_id), message.to_wire())


class Publisher:
    """Keeps a connection to the relay. Use as `async with Publisher(settings) as publisher`."""

    def __init__(self, settings: ApiSettings) -> None:
        self._app_id = settings.realtime_app_id
        self._key = settings.realtime_key
        self._secret = settings.relay_secret
        self._base = settings.relay_url
        # Proxy settings in the environment are for the internet, not for our own relay.
        self._client = httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def publish(self, events: Sequence[ChannelEvent]) -> None:
        """Send the events in order. Raises `RelayUnavailable` or `RelayRefused` when a batch was not accepted."""
        for start in range(0, len(events), BATCH):
            batch = events[start : start + BATCH]
            items = [{"name": event.name, "channel": event.channel, "data": _json(event.data)} for event in batch]
            await self._post("batch_events", _json({"batch": items}).encode())

    async def end_connections(self, user: str) -> None:
        """End the connections of a user of the relay. Raises as `publish` does."""
        await self._post(f"users/{user}/terminate_connections", b"{}")

    async def _post(self, call: str, body: bytes) -> None:
        path = f"/apps/{self._app_id}/{call}"
        query = {
            "auth_key": self._key,
            "auth_timestamp": str(int(time.time())),
            "auth_version": AUTH_VERSION,
            "body_md5": body_md5(body),
        }
        # A path prefix in the relay's address belongs to a proxy and is not signed.
        query["auth_signature"] = sign_call(self._secret, method="POST", path=path, query=query)
        try:
            answer = await self._client.post(
                f"{self._base}{path}", params=query, content=body, headers={"Content-Type": "application/json"}
            )
        except httpx2.HTTPError as error:
            host = urlsplit(self._base).netloc
            raise RelayUnavailable(f"The relay at {host} did not answer: {type(error).__name__}.") from error
        if answer.status_code >= 500 or answer.status_code in (408, 429):
            raise RelayUnavailable(f"The relay answered {answer.status_code}.")
        if answer.status_code >= 400:
            raise RelayRefused(f"The relay refused the events with {answer.status_code}: {answer.text[:200]}")


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
