"""Repeat a call once when PostgreSQL ended its transaction in favour of another.

Transactions lock in one order (jobs, files, uploads), so deadlocks are rare. Cascades and foreign keys still take
locks of their own. A deadlock rolls one of the two transactions back completely, so that call can be repeated.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import uniform

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEY = "sagascript.repeat"
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_RETRYABLE = frozenset({"40P01", "40001"})
"""SQLSTATEs of a deadlock and of a serialization failure."""

_PASSING_S = (0.05, 0.2)
"""Longer than a process takes to wake up on a busy machine, and not the same for two calls that lost to each other."""

log = structlog.get_logger(__name__)


async def let_pass() -> None:
    """Let the other transaction have the rows first: PostgreSQL gives a free one to whoever asks, not by turns."""
    await asyncio.sleep(uniform(*_PASSING_S))


@dataclass
class _Repeat:
    wanted: bool = False


def lost_to_another(error: BaseException) -> bool:
    """Whether the database ended this transaction so that another one could continue."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _RETRYABLE


def ask_to_repeat(request: Request) -> None:
    """Drop the error handler's answer and repeat the call, unless this is the repeat already."""
    repeat = request.scope.get(_KEY)
    if repeat is not None:
        repeat.wanted = True


class RepeatOnce:
    """Repeat changing calls outside `own_time`. Keeps their bodies, whose size `limits.py` bounds, until they end."""

    def __init__(self, app: ASGIApp, own_time: tuple[str, ...] = ()) -> None:
        self.app = app
        self._own_time = own_time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_call = scope["type"] == "http" and scope["method"] in _CHANGING
        if not is_call or scope["path"].startswith(self._own_time):
            await self.app(scope, receive, send)
            return
        repeat = _Repeat()
        body: list[Message] = []

        async def recording() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                body.append(message)
            return message

        async def send_unless_repeated(message: Message) -> None:
            if not repeat.wanted:
                await send(message)

        await self.app({**scope, _KEY: repeat}, recording, send_unless_repeated)
        if repeat.wanted:
            log.info("request.repeated", path=scope["path"])
            await let_pass()
            messages = iter(body)

            async def again() -> Message:
                return next(messages, None) or await receive()

            await self.app(scope, again, send)
