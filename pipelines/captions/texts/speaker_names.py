"""What speakers are called, and how subtitles and texts show who speaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from cluster.wording.message import Message
from pipelines.captions.texts.text import word_units
from pipelines.messages.lines import CaptionLine, CaptionWord

COLOURS = 12
"""Colours of the page's palette for speakers."""


class SpeakerStyle(StrEnum):
    """How captions show who speaks. `dashes` marks each change of speaker by a dash, as Netflix and the BBC do."""

    NONE = "none"
    LABELS = "labels"
    DASHES = "dashes"


def shown_name(label: str, name: str | None) -> str:
    """What a person reads: the name, or "Speaker 2" for `S2`."""
    return name or Message("speakers.numbered", "Speaker {number}", number=label.removeprefix("S"))


def with_speakers(lines: Iterable[CaptionLine], names: Mapping[str, str], style: SpeakerStyle) -> list[CaptionLine]:
    """The lines with who speaks in their text.

    A label stands where the speaker changes, and not on every line. A dash stands there too, but only in files with
    more than one speaker.
    """
    shown = list(lines)
    if style is SpeakerStyle.NONE or (style is SpeakerStyle.DASHES and len({line.speaker for line in shown}) < 2):
        return shown
    last: str | None = None
    result = []
    for line in shown:
        is_new = line.speaker is not None and line.speaker != last and line.text
        result.append(_with_mark(line, _mark(line.speaker, names, style)) if is_new else line)
        last = line.speaker
    return result


def _with_mark(line: CaptionLine, mark: str) -> CaptionLine:
    words = tuple(CaptionWord(line.start_ms, line.start_ms, unit) for unit in word_units(mark)) if line.words else ()
    return replace(line, text=mark + line.text, words=(*words, *line.words))


def _mark(speaker: str | None, names: Mapping[str, str], style: SpeakerStyle) -> str:
    if speaker is None:
        return ""
    return "– " if style is SpeakerStyle.DASHES else f"{names.get(speaker) or shown_name(speaker, None)}: "
