"""Fit imported lines into the limits. Split long lines without losing a character, and refuse too many lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cluster.wording.message import Message
from pipelines.captions.limits import FILE_CHARS_MAX, FILE_WORDS_MAX, LINE_CHARS_MAX, LINES_MAX
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.script_breaks import grapheme_start
from pipelines.captions.texts.styled_text import ink_of_line, words_of_ink
from pipelines.captions.texts.text import shown_length, word_units
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine


def fit(lines: Sequence[CaptionLine], report: ImportReport) -> list[CaptionLine]:
    """Split lines longer than `LINE_CHARS_MAX` characters.

    Raises `UnreadableSubtitles` for a file beyond the limits.
    """
    characters = sum(len(line.text) for line in lines)
    if characters > FILE_CHARS_MAX:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.read.too_many_characters",
                "This file holds {count:,} characters of captions; {limit:,} are the most. Split the "
                "file and its video into parts.",
                count=characters,
                limit=FILE_CHARS_MAX,
            )
        )
    fitted: list[CaptionLine] = []
    for line in lines:
        parts = list(split_long(line))
        if len(parts) > 1:
            report.parts.append(len(parts))
        fitted.extend(parts)
    if len(fitted) > LINES_MAX:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.read.too_many_captions",
                "This file holds {count:,} captions; {limit:,} are the most. Split the file and its video into parts.",
                count=len(fitted),
                limit=LINES_MAX,
            )
        )
    words = sum(len(word_units(line.text)) for line in fitted)
    if words > FILE_WORDS_MAX:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.read.too_many_words",
                "This file holds {count:,} words; {limit:,} are the most. Split the file and its video into parts.",
                count=words,
                limit=FILE_WORDS_MAX,
            )
        )
    return fitted


def split_long(line: CaptionLine) -> Iterator[CaptionLine]:
    """The line as parts of at most `LINE_CHARS_MAX` characters, broken at white space where there is any.

    Each part takes its share of the line's time, and words only where they have styles or speakers. Raises
    `UnreadableSubtitles` when there are more parts than milliseconds.
    """
    if len(line.text) <= LINE_CHARS_MAX:
        yield line
        return
    spans = list(_spans(line.text))
    if len(spans) > line.duration_ms:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.read.caption_too_long",
                "The caption at {time} holds {count:,} characters, more than can be shown in its "
                "{ms:,} ms. Shorten it and import the file again.",
                time=format_time(line.start_ms),
                count=len(line.text),
                ms=line.duration_ms,
            )
        )
    room = line.duration_ms - len(spans)
    whole = spans[-1][1]
    ink = ink_of_line(line) if line.words else []
    inked = 0
    for number, (start, stop) in enumerate(spans):
        part = replace(
            line,
            start_ms=line.start_ms + number + room * start // whole,
            end_ms=line.end_ms if stop == whole else line.start_ms + number + 1 + room * spans[number + 1][0] // whole,
            text=line.text[start:stop].strip(),
            words=(),
        )
        length = shown_length(part.text) if ink else 0
        if ink:
            part = replace(part, words=words_of_ink(part, ink[inked : inked + length]))
        yield part
        inked += length


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        stop = start + LINE_CHARS_MAX
        if stop < len(text):
            space = max(text.rfind("\n", start + 1, stop), text.rfind(" ", start + 1, stop))
            whole = grapheme_start(text, stop) if space < 0 else space + 1
            # A grapheme may be longer than a line: there is no limit to the marks on a letter.
            stop = whole if whole > start else stop
        yield start, min(stop, len(text))
        start = stop
