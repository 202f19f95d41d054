"""The values that the text deployment exchanges with its callers.

A text is made in two steps: each section of the transcript becomes claims, then the claims become blocks. The second
step never sees the transcript, so whatever it writes comes from a claim that names its lines. Line and claim numbers
count from 1 inside one item; callers check their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

TEXT = "text"
"""The name of the task."""

PROMPT_TOKENS = 400
"""The instructions of each prompt."""
SECTION_TOKENS = 1200
"""Longest answer for a section: 15 claims of 80 tokens."""
PROOFREAD_TOKENS = 1500
"""Longest answer for the lines of one proofreading call: 30 corrected lines of 50 tokens."""
COMPOSE_TOKENS = 2000
"""Longest answer when a text is written: about 1,200 words of English."""


class ClaimKind(StrEnum):
    POINT = "point"
    DECISION = "decision"
    ACTION = "action"


class PartKind(StrEnum):
    """The form of a written sentence."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    BULLET = "bullet"


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of captions. `speaker` is a name, or None."""

    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its two-letter or longer base code, and its English name for a model's instructions."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class SectionItem:
    """Take the notes for a text of `type` from one section of a transcript. `lines` are numbered from 1.

    `stream` names the file for fairness between files; `index` counts its items from 0. Engines that write answer in
    `language`; one that only selects answers in `source`.
    """

    stream: str
    index: int
    type: str
    language: Language
    source: Language
    lines: tuple[SpokenLine, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement and the numbers of the lines that make it. `weight` ranks it where the engine can, else 0.

    `owner` and `due` of an action are in the words of the lines.
    """

    text: str
    lines: tuple[int, ...]
    kind: ClaimKind = ClaimKind.POINT
    owner: str | None = None
    due: str | None = None
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class SectionClaims:
    """The claims of a section in order. `dropped` counts parts of the answer that could not be read.

    `is_complete` is False when the model reached its limit: shorter sections lose nothing.
    """

    index: int
    claims: tuple[Claim, ...]
    dropped: int = 0
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class WeightedClaim:
    text: str
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class ComposeItem:
    """Write a text of `type`, or one part of it, from claims. `claims` are numbered from 1.

    `is_first`: the part with the beginning of the text; `is_last`: the one with its end.
    """

    stream: str
    index: int
    type: str
    language: Language
    source: Language
    claims: tuple[WeightedClaim, ...]
    title: str = ""
    is_first: bool = True
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """One sentence, heading or list item and the claims behind it. Texts of equal `paragraph` stand together."""

    kind: PartKind
    text: str
    claims: tuple[int, ...] = ()
    paragraph: int = 0


@dataclass(frozen=True, slots=True)
class ComposedText:
    """The parts in order. `dropped` and `is_complete` are those of `SectionClaims`."""

    index: int
    parts: tuple[WrittenPart, ...]
    dropped: int = 0
    is_complete: bool = True


class ProofreadTask(StrEnum):
    """What to do with the lines: correct mistakes, or say the same in fewer words."""

    CORRECT = "correct"
    SHORTEN = "shorten"


class CorrectionKind(StrEnum):
    """Why a line should change."""

    SPELLING = "spelling"
    GRAMMAR = "grammar"
    PUNCTUATION = "punctuation"
    NAME = "name"
    REPETITION = "repetition"
    SHORTER = "shorter"


@dataclass(frozen=True, slots=True)
class ProofreadItem:
    """Correct lines of captions, numbered from 1. `terms` are names and words that are right as they are written."""

    stream: str
    index: int
    language: Language
    lines: tuple[SpokenLine, ...]
    task: ProofreadTask = ProofreadTask.CORRECT
    terms: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A line as it should be. `reason` is a short sentence."""

    line: int
    text: str
    kind: CorrectionKind
    reason: str


@dataclass(frozen=True, slots=True)
class ProofreadLines:
    """The corrections in order. `dropped` and `is_complete` are those of `SectionClaims`."""

    index: int
    corrections: tuple[Correction, ...]
    dropped: int = 0
    is_complete: bool = True


TextItem: TypeAlias = SectionItem | ComposeItem | ProofreadItem
TextOutcome: TypeAlias = SectionClaims | ComposedText | ProofreadLines
