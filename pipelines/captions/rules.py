"""Numbers that captions should respect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CaptionRules:
    """One profile. Lengths are in characters a reader sees, speeds in characters a second, times in milliseconds."""

    max_row: int = 42
    max_rows: int = 2
    warn_speed: float = 17.0
    max_speed: float = 20.0
    min_ms: int = 1_000
    max_ms: int = 7_000
    gap_ms: int = 100
    pause_ms: int = 1_000
    """A silence of this length always ends a line."""

    @property
    def max_length(self) -> int:
        return self.max_row * self.max_rows


DEFAULT_RULES = CaptionRules()

EXTEND_GAP_MS = 100
"""Time that an extended line leaves free before the next one."""
