"""What the handlers of the tus protocol work with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from starlette.requests import Request

from api.content.uploads.tus.errors import gone, not_found
from api.content.uploads.tus.locks import WAIT_S, UploadLocks
from api.content.uploads.tus.records import Completion, Owner, Records, TusRecord
from api.content.uploads.tus.storage.store import Threads, UploadStore

ENDS_WITHIN_S = 10.0
"""For a write to the disk and one to the database, on a busy machine."""
EXPIRES_AFTER = timedelta(days=7)
"""How long we keep an unfinished upload after its last byte."""


@dataclass(frozen=True, slots=True)
class TusRules:
    """`max_size` in bytes; `own_origins` are those of our own pages, which may send cookies.

    `address` is the public URL of the collection, if known, and makes locations absolute. `wait_s` is how long a new
    request waits for the holder of an upload before it fails.
    """

    max_size: int
    own_origins: frozenset[str] = frozenset()
    address: str | None = None
    expires_after: timedelta = EXPIRES_AFTER
    wait_s: float = WAIT_S


class Authenticator(Protocol):
    async def creator(self, request: Request) -> Owner:
        """The owner of the upload that a request creates. Raises `TusError` 401 without a valid token."""
        ...

    async def check(self, request: Request, record: TusRecord | None) -> None:
        """Admit the owner. Raises `TusError` 401 without credentials, 404 for an unknown upload or another owner's."""
        ...


def bearer_token(request: Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class TusContext:
    """One per process: it owns threads, and over S3 a client. `now` is the clock that uploads expire by."""

    records: Records
    authenticator: Authenticator
    complete: Completion
    store: UploadStore
    locks: UploadLocks
    rules: TusRules
    threads: Threads = field(default_factory=Threads)
    now: Callable[[], datetime] = utc_now
    running: set[asyncio.Task[object]] = field(default_factory=set)
    """The tasks of requests that are under way."""

    async def rest(self, within_s: float = ENDS_WITHIN_S) -> None:
        """Wait until no request is under way. A server that stops cancels them, and they record what has arrived."""
        if self.running:
            await asyncio.wait(set(self.running), timeout=within_s)


def live(record: TusRecord | None) -> TusRecord:
    """The record, if it can still be used. 404 if there is none, 410 if it is over."""
    if record is None:
        raise not_found()
    if record.terminated:
        raise gone()
    return record
