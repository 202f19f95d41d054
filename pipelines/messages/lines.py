"""Caption lines and their words, the values that every other caption module works on.

A line is a span over words. Its text holds exactly the characters of its words, in order, with any white space between
them. So a line break can move freely, and a word's time never depends on where the text is broken.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """Who wrote a word."""

    ASR = "asr"
    HUMAN = "human"
    AI = "ai"


class WordStyle(StrEnum):
    """How a word is set, in every file form that knows it."""

    ITALIC = "italic"
    BOLD = "bold"
    UNDERLINE = "underline"


NO_STYLES: frozenset[WordStyle] = frozenset()


@dataclass(frozen=True, slots=True)
class CaptionWord:
    """One word, with times from the start of the file.

    `confidence` is the engine's probability, 1.0 for a word a person corrected in place, and None when the word's time
    was estimated instead of measured. `speaker` is None where it is the line's.
    """

    start_ms: int
    end_ms: int
    text: str
    origin: Origin = Origin.ASR
    confidence: float | None = None
    speaker: str | None = None
    styles: frozenset[WordStyle] = NO_STYLES

    @property
    def is_measured(self) -> bool:
        return self.confidence is not None


BOTTOM_CENTRE = 2
"""Where captions stand unless their place says otherwise."""


class Lane(StrEnum):
    """The part of the picture that a line stands in. Lines of different parts may be on screen at once."""

    BOTTOM = "bottom"
    MIDDLE = "middle"
    TOP = "top"


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where a line stands on the picture.

    `align` is 1 to 9 as on a numeric keypad: 2 is bottom centre, 8 top centre (`\\an` of ASS). `x` and `y`, both set or
    neither, put that corner, edge or centre of the text at a share of the picture's width and height, 0 to 1.
    """

    align: int = BOTTOM_CENTRE
    x: float | None = None
    y: float | None = None

    @property
    def lane(self) -> Lane:
        """The third of the picture that the place is in."""
        third = 2 - (self.align - 1) // 3 if self.y is None else min(2, int(self.y * 3))
        return (Lane.TOP, Lane.MIDDLE, Lane.BOTTOM)[third]


class Writer(StrEnum):
    """Who wrote a translated line last."""

    MODEL = "model"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A line of the source track, and its text when it was translated. The line may say something else by now."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class LineLink:
    """What a line of a translation translates: lines of the source track in order, or none for a line of its own.

    `flags` are values of `LineFlag`, for reviewers. `log_probability` is the model's mean per token, if it gives one.
    """

    sources: tuple[SourceText, ...] = ()
    by: Writer = Writer.PERSON
    flags: tuple[str, ...] = ()
    log_probability: float | None = None


@dataclass(frozen=True, slots=True)
class CaptionLine:
    """What is on screen from `start_ms` up to `end_ms`. A newline separates the rows of `text`.

    Word times follow the sound, and may lie outside the line after a person moved its edges.
    `doubts` names the checks of the hallucination guard that the text failed. `speaker` is a canonical label such as
    `S1`, the same whatever the speaker is called; None when nobody knows who speaks. `link` is set on translated tracks
    only. `place` is None for lines at the bottom centre. A `locked` line keeps its times, text and look until somebody
    unlocks it; an import, a restored version and changes of a translation's source still reach it. A `forced` line is
    shown also to people who have switched subtitles off: a sign, or speech in a language that the film does not expect.
    """

    id: str
    start_ms: int
    end_ms: int
    text: str
    words: tuple[CaptionWord, ...] = ()
    doubts: tuple[str, ...] = ()
    speaker: str | None = None
    link: LineLink | None = None
    place: LinePlace | None = None
    locked: bool = False
    forced: bool = False

    @property
    def duration_ms(self) -> int:
        return self.end_ms - self.start_ms

    @property
    def lane(self) -> Lane:
        return Lane.BOTTOM if self.place is None else self.place.lane
