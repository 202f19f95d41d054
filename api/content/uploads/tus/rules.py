"""The limits of an upload server and its promises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from api.content.uploads.tus.locks import WAIT_S

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
