"""What an upload host allows and promises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from api.uploads.tus.locks import WAIT_S

EXPIRES_AFTER = timedelta(days=7)
"""How long an unfinished upload is kept after its last byte."""


@dataclass(frozen=True, slots=True)
class TusRules:
    """`max_size` in bytes; `own_origins` are where the product's pages come from, which may send its cookies.

    `address` is the URL under which clients find the collection, when it is known: it makes locations absolute.
    `wait_s` is how long a newcomer waits for the holder of an upload before it is refused.
    """

    max_size: int
    own_origins: frozenset[str] = frozenset()
    address: str | None = None
    expires_after: timedelta = EXPIRES_AFTER
    wait_s: float = WAIT_S
