"""Findings: where captions break the rules of a profile.

A finding depends on its line and the lines beside it alone, so an edit needs three lines checked again. The editor
finds the same while a person types (`ui/src/domain/captions/quality/`): a change to a rule needs the same change
there, and `api/tests/captions/test_quality_model.py` runs generated lines through both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pipelines.captions.quality.profile import QualityProfile


class Rule(StrEnum):
    """What can be wrong. These words are part of the API."""

    EMPTY = "empty"
    ROW_TOO_LONG = "row_too_long"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_FAST = "too_fast"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OVERLAP = "overlap"
    SMALL_GAP = "small_gap"
    OPEN_GAP = "open_gap"
    SPACES = "spaces"
    TAG = "tag"
    UNSPOKEN = "unspoken"
    GLYPH = "glyph"
    ROW_BREAK = "row_break"
    FORBIDDEN_BREAK = "forbidden_break"
    DASH = "dash"
    LABEL = "label"
    NUMBER = "number"
    AFTER_CUT = "after_cut"
    BEFORE_CUT = "before_cut"
    EARLY = "early"
    LATE = "late"
    LINGERS = "lingers"


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)


Value = int | float | str


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe change of one line. What is None stays as it is; `removes` takes the line away."""

    line_id: str
    reason: str
    """A key of `REASONS`."""
    text: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    removes: bool = False
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a line breaks. `line_ids` begins with that line; `values` fill its sentence."""

    rule: Rule
    severity: Severity
    line_ids: tuple[str, ...]
    values: Mapping[str, Value] = field(default_factory=dict)
    fix: Fix | None = None

    @property
    def key(self) -> tuple[Rule, str]:
        return self.rule, self.line_ids[0]

    @property
    def is_open(self) -> bool:
        """Whether captions with this finding are not clean. Hints do not count."""
        return self.severity is not Severity.INFO


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the rules need to know beside the lines.

    `language` is a code such as `is-IS`, `cuts_ms` the shot changes in order, `fps` the frame rate if there is one, and
    `undrawable` the characters that no font can draw.
    """

    profile: QualityProfile
    language: str = ""
    cuts_ms: Sequence[int] = ()
    fps: float | None = None
    undrawable: Collection[str] = frozenset()

    @property
    def gap_ms(self) -> int:
        return self.profile.least_gap(self.fps)

    @property
    def code(self) -> str:
        return self.language.partition("-")[0].lower()
