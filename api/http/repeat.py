"""A call that PostgreSQL ended in favour of another one is made once more.

Transactions lock in one order (jobs, files, uploads), so deadlocks are rare. Cascades and foreign keys take locks of
their own, though, and a deadlock ends one of its two transactions: that one is rolled back whole and can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEY = "sagascript.repeat"
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_RETRYABLE = frozenset({"40P01", "40001"})
"""SQLSTATEs of a deadlock and of a serialization failure."""

log = structlog.get_logger(__name__)


@dataclass
class _Repeat:
    wanted: bool = False


def lost_to_another(error: BaseException) -> bool:
    """Whether the database ended this transaction so that another one could go on."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _RETRYABLE


def ask_to_repeat(request: Request) -> None:
    """For the error handler: its answer is dropped and the call made again, unless it already is the second time."""
    found = request.scope.get(_KEY)
    if found is not None:
        found.wanted = True


class RepeatOnce:
    """Repeats changing calls outside `own_time`. Holds their bodies, whose size `limits.py` bounds, until the end."""

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
            held = iter(body)

            async def again() -> Message:
                return next(held, None) or await receive()

            await self.app(scope, again, send)
