"""SubRip in and out. Reading forgives almost everything and never drops text; writing can always be read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pipelines.captions.encodings import decode
from pipelines.captions.lines import CaptionLine, Origin
from pipelines.captions.spread import spread_text
from pipelines.captions.text import LINE_ENDS, clean_text
from pipelines.captions.times import CLOCK, MAX_MS, clock_ms, format_time
from pipelines.captions.timing import untangle

_ARROW = r"(-{1,3}\s?>|[–—]\s?>|→|⟶)"
_TIMING = re.compile(rf"\s*{CLOCK}\s*{_ARROW}\s*(?:{CLOCK})?(?![\d:])(.*)", re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)
# Places on the picture (`X1:40 …`) and WebVTT settings behind a time: not text.
_SETTINGS = re.compile(r"(?:\s*(?:[XY][12]:-?\d+|(?:align|line|position|size|vertical|region):\S+))*\s*", re.ASCII)

_JOINER = "\u2060"
"""Invisible, no width: put inside an arrow it keeps readers from taking the row for a time."""


class UnreadableSubtitles(ValueError):
    """A file that holds text but no caption times; the message is a sentence for the person who sent it."""


@dataclass(slots=True)
class _Cue:
    start_ms: int
    end_ms: int | None
    rows: list[str] = field(default_factory=list)


def parse_srt(source: str | bytes, language: str | None = None) -> list[CaptionLine]:
    """The captions of a SubRip file, in time order, without overlap, numbered from `1`; words spread over their line.

    Taken as it comes: any encoding, line ends or byte order mark; comma, dot or nothing before the milliseconds;
    missing hours; wrong, doubled or missing numbers; missing or extra blank rows; times without an end.
    Text before the first time becomes a line of its own. Raises `UnreadableSubtitles` when there are no times at all.
    """
    text = source if isinstance(source, str) else decode(source, language)
    text = text.removeprefix("\ufeff")
    preamble, cues = _read(LINE_ENDS.split(text))
    before = _text_of(preamble)
    if not cues:
        if before:
            raise UnreadableSubtitles(
                "No caption times were found in this file. It needs rows like 00:00:01,000 --> 00:00:04,000."
            )
        return []
    if before:
        cues.insert(0, _Cue(0, min(cue.start_ms for cue in cues), [before]))
    return lines_of_cues((cue.start_ms, cue.end_ms, _text_of(cue.rows)) for cue in cues)


def lines_of_cues(cues: Iterable[tuple[int, int | None, str]]) -> list[CaptionLine]:
    """Lines of cues read from a file; cues without text are left out, cues without an end get one."""
    lines = [
        CaptionLine("", min(start, MAX_MS - 1), min(end if end is not None else start, MAX_MS), text)
        for start, end, text in cues
        if text
    ]
    return [
        CaptionLine(
            str(number), line.start_ms, line.end_ms, line.text,
            spread_text(line.text, line.start_ms, line.end_ms, Origin.HUMAN),
        )
        for number, line in enumerate(untangle(lines), 1)
    ]  # fmt: skip


def _read(rows: Sequence[str]) -> tuple[list[str], list[_Cue]]:
    """The rows before the first time, and the cues with their own rows."""
    preamble: list[str] = []
    cues: list[_Cue] = []
    number = 0
    for row in rows:
        timing = _timing(row)
        if timing is None:
            (cues[-1].rows if cues else preamble).append(row)
            continue
        # Counting may start at 0, and a number is often one off where a cue was deleted by hand.
        expected = {len(cues), len(cues) + 1, len(cues) + 2, number + 1}
        number = _take_number(cues[-1].rows if cues else preamble, expected) or number
        start = clock_ms(timing[1], timing[2], timing[3], timing[4])
        end = None if timing[7] is None else clock_ms(timing[6], timing[7], timing[8], timing[9])
        trailing = timing[10]
        cues.append(_Cue(start, end, [] if _SETTINGS.fullmatch(trailing) else [trailing]))
    return preamble, cues


def _timing(row: str) -> re.Match[str] | None:
    """The row as a cue time, or None. An arrow of another form counts only between full times with seconds."""
    timing = _TIMING.fullmatch(row)
    if timing is None or (timing[5] != "-->" and (timing[1] is None or timing[6] is None)):
        return None
    return timing


def _take_number(rows: list[str], expected: set[int]) -> int | None:
    """Remove the cue number that stands above a time from the rows before it; the number, if there was one.

    A number right below text, with no blank row between, is taken for a cue number only when it is the one to expect:
    else it is text, as in `In the year / 1984`.
    """
    while rows and not rows[-1].strip():
        rows.pop()
    found = _NUMBER.fullmatch(rows[-1]) if rows else None
    if found is None:
        return None
    number = int(found[1])
    if number not in expected and len(rows) > 1 and rows[-2].strip():
        return None
    rows.pop()
    return number


def _text_of(rows: Sequence[str]) -> str:
    text = clean_text("\n".join(rows)).replace(f"--{_JOINER}>", "-->")
    return "\n".join(row.removeprefix(_JOINER) for row in text.split("\n"))


def format_srt(lines: Sequence[CaptionLine]) -> str:
    """SubRip text, UTF-8 without a mark, rows ended by a newline. Lines without text are left out.

    An arrow inside the text is written with an invisible joiner in it, and rows of the text are never empty, so nothing
    in a text is taken for the start of another cue; `parse_srt` gives the same text back.
    """
    cues: list[str] = []
    for line in lines:
        text = clean_text(line.text)
        if not text:
            continue
        times = f"{format_time(line.start_ms)} --> {format_time(line.end_ms)}"
        cues.append(f"{len(cues) + 1}\n{times}\n{_defused(text)}\n")
    return "\n".join(cues)


def _defused(text: str) -> str:
    text = text.replace("-->", f"--{_JOINER}>")
    # `00:01 → 00:02` as text is a time to a forgiving reader, ours among them.
    return "\n".join(f"{_JOINER}{row}" if _timing(row) else row for row in text.split("\n"))
