"""Numbers that captions should respect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


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

RULES_BY_LANGUAGE: Mapping[str, CaptionRules] = MappingProxyType(
    {
        "zh": replace(DEFAULT_RULES, max_row=16, warn_speed=7.5, max_speed=9.0),
        "yue": replace(DEFAULT_RULES, max_row=16, warn_speed=7.5, max_speed=9.0),
        "ko": replace(DEFAULT_RULES, max_row=16, warn_speed=10.0, max_speed=12.0),
        "ja": replace(DEFAULT_RULES, max_row=23, warn_speed=3.4, max_speed=4.0),
        "th": replace(DEFAULT_RULES, max_row=35, warn_speed=14.0, max_speed=17.0),
        "hi": replace(DEFAULT_RULES, warn_speed=19.0, max_speed=22.0),
    }
)
"""Languages, by their code without a region, whose script is read at another speed than Latin, Greek or Arabic.

Row length and highest speed are Netflix's, as Subtitle Edit has them; the warning comes at 85 % of that speed.
"""


def rules_for(language: str) -> CaptionRules:
    """The rules for captions in a language, given as a code such as `ja` or `zh-TW`."""
    return RULES_BY_LANGUAGE.get(language.partition("-")[0].lower(), DEFAULT_RULES)


EXTEND_GAP_MS = 100
"""Time that an extended line leaves free before the next one."""
