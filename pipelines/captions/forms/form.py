"""What a caption file form is: how it is called, what it can hold, and how it is written and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.messages.lines import CaptionLine

if TYPE_CHECKING:
    # Imports read subtitles in a small process that has no use for fonts.
    from pipelines.messages.caption_style import CaptionStyle


class CaptionFormat(StrEnum):
    """The forms that captions can be downloaded in."""

    SRT = "srt"
    VTT = "vtt"
    TXT = "txt"
    ASS = "ass"
    TTML = "ttml"
    STL = "stl"
    SCC = "scc"
    SBV = "sbv"
    DOCX = "docx"
    CSV = "csv"
    JSON = "json"


class Kept(StrEnum):
    """What a form can hold beside times and text. `FORCED`: which lines are shown without subtitles too."""

    STYLES = "styles"
    PLACE = "place"
    FORCED = "forced"
    SPEAKERS = "speakers"
    WORDS = "words"


class FormGroup(StrEnum):
    """Where a list of forms shows one."""

    SUBTITLES = "subtitles"
    BROADCAST = "broadcast"
    DOCUMENTS = "documents"


FRAME_RATES = (23.976, 24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0)
"""What a person can choose where a file counts frames; frames per second."""


@dataclass(frozen=True, slots=True)
class Document:
    """Captions to write. `names` are those of the speakers by label; `fps` is for forms that count frames.

    `speakers` says how text shows who speaks. Forms with a field of their own for it use that field for `LABELS`.
    `style` and `picture`, in pixels, are for forms that draw; None is the style that everybody has.
    """

    lines: Sequence[CaptionLine]
    language: str
    names: Mapping[str, str] = field(default_factory=dict)
    speakers: SpeakerStyle = SpeakerStyle.NONE
    title: str = ""
    fps: float = 25.0
    style: CaptionStyle | None = None
    picture: tuple[int, int] = (1920, 1080)
    programme_start: str = ""
    """The time address of the first frame, for forms that count frames; empty for zeros."""


class RollUp(StrEnum):
    """How captions are read that a television builds up on its screen: rows that roll up, and text that is painted."""

    ONCE = "once"
    """Each row that rolls up is a caption until the next row comes, and each painted text is one from its start."""
    SCREEN = "screen"
    """Each state of the screen is a caption: rows that stay appear again in the next one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person chooses for a file to read. `fps`: None for the file's own frame rate."""

    fps: float | None = None
    roll_up: RollUp = RollUp.ONCE


USUAL_READING = Reading()


@dataclass(frozen=True, slots=True)
class Source:
    """A stranger's file to read: its bytes, and its text if it is not a binary form."""

    raw: bytes
    text: str = ""
    language: str | None = None
    reading: Reading = USUAL_READING


Write = Callable[[Document], bytes]
Read = Callable[[Source, ImportReport], list[CaptionLine]]


@dataclass(frozen=True, slots=True)
class CaptionForm:
    """One form. `media_type` is for HTTP. A form without `write` can only be imported, one without `read` only written.

    `begins` recognizes a file by its beginning; SubRip has none and takes what no other form does. `loses` are
    sentences on what this form alone cannot hold of a document; `Kept` is checked for all forms alike.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    media_type: str
    group: FormGroup
    keeps: frozenset[Kept]
    write: Write | None = None
    read: Read | None = None
    begins: re.Pattern[str] | None = None
    counts_frames: bool = False
    rolls_up: bool = False
    loses: Callable[[Document], list[str]] | None = None

    @property
    def suffix(self) -> str:
        return self.suffixes[0]
