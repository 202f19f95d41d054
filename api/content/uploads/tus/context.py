"""What the handlers of the tus protocol work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from api.content.uploads.tus.auth import Authenticator
from api.content.uploads.tus.errors import gone, not_found
from api.content.uploads.tus.locks import UploadLocks
from api.content.uploads.tus.records import Completion, Records, TusRecord
from api.content.uploads.tus.rules import TusRules
from api.content.uploads.tus.storage.store import UploadStore
from api.content.uploads.tus.storage.threads import Threads


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


def live(record: TusRecord | None) -> TusRecord:
    """The record, if it can still be used. 404 if there is none, 410 if it is over."""
    if record is None:
        raise not_found()
    if record.terminated:
        raise gone()
    return record
