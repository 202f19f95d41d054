"""What an upload host allows and promises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

EXPIRES_AFTER = timedelta(days=7)
"""How long an unfinished upload is kept after its last byte."""


@dataclass(frozen=True, slots=True)
class TusRules:
    """`max_size` in bytes; `own_origin` is where the product's pages come from, and may send its cookies."""

    max_size: int
    own_origin: str | None = None
    expires_after: timedelta = EXPIRES_AFTER
