"""Words with italics, bold and underlining as runs of text and as tags, and back. All of it in linear time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.captions.texts.text import shown_length, word_spans, word_units
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.lines import NO_STYLES, CaptionLine, CaptionWord, Origin, WordStyle

TAG_OF = {WordStyle.ITALIC: "i", WordStyle.BOLD: "b", WordStyle.UNDERLINE: "u"}

STYLE_OF_TAG = {
    "i": WordStyle.ITALIC,
    "em": WordStyle.ITALIC,
    "b": WordStyle.BOLD,
    "strong": WordStyle.BOLD,
    "u": WordStyle.UNDERLINE,
}
_TAG = re.compile(r"<(/?)(i|b|u|s|em|strong|font|span)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """Text whose characters have the same styles and speaker. `speaker` is None for that of the line."""

    text: str
    styles: frozenset[WordStyle] = NO_STYLES
    speaker: str | None = None


def runs_of(line: CaptionLine) -> list[Run]:
    """The text of a line, cut where styles or speaker change. White space has what both words beside it have."""
    if not any(word.styles or word.speaker for word in line.words):
        return [Run(line.text)] if line.text else []
    runs: list[Run] = []
    end, last = 0, line.words[0]
    for word, (start, stop) in zip(line.words, word_spans(line.text, [word.text for word in line.words]), strict=True):
        if start > end:
            speaker = word.speaker if word.speaker == last.speaker else None
            _append(runs, Run(line.text[end:start], word.styles & last.styles, speaker))
        _append(runs, Run(line.text[start:stop], word.styles, word.speaker))
        end, last = stop, word
    _append(runs, Run(line.text[end:]))
    return runs


def _append(runs: list[Run], run: Run) -> None:
    if not run.text:
        return
    if runs and (runs[-1].styles, runs[-1].speaker) == (run.styles, run.speaker):
        run = Run(runs.pop().text + run.text, run.styles, run.speaker)
    runs.append(run)


def to_markup(line: CaptionLine, escape: Callable[[str], str] = str) -> str:
    """The text of a line with `<i>`, `<b>` and `<u>` around each run of styled words. `escape` is for its own text."""
    return "".join(tagged(run, escape) for run in runs_of(line))


def tagged(run: Run, escape: Callable[[str], str] = str) -> str:
    """One run with its tags."""
    tags = [tag for style, tag in TAG_OF.items() if style in run.styles]
    opened = "".join(f"<{tag}>" for tag in tags)
    closed = "".join(f"</{tag}>" for tag in reversed(tags))
    return f"{opened}{escape(run.text)}{closed}"


def from_markup(text: str) -> list[Run]:
    """The runs of a text with the HTML tags that subtitle players understand. Every other `<` is text."""
    runs: list[Run] = []
    open_tags = dict.fromkeys(WordStyle, 0)
    end = 0
    for tag in _TAG.finditer(text):
        _append(runs, Run(text[end : tag.start()], _in_force(open_tags)))
        end = tag.end()
        style = STYLE_OF_TAG.get(tag[2].lower())
        if style is not None:
            open_tags[style] = max(0, open_tags[style] - 1) if tag[1] else open_tags[style] + 1
    _append(runs, Run(text[end:], _in_force(open_tags)))
    return runs


def _in_force(open_tags: dict[WordStyle, int]) -> frozenset[WordStyle]:
    return frozenset(style for style, count in open_tags.items() if count) or NO_STYLES


def plain_text(runs: Iterable[Run]) -> str:
    return "".join(run.text for run in runs)


Ink = tuple[frozenset[WordStyle], str | None]
"""Styles and speaker of one character that is not white space."""


def ink_of(runs: Iterable[Run]) -> list[Ink]:
    """Styles and speaker of each character that `clean_text` keeps and that is not white space."""
    ink: list[Ink] = []
    for run in runs:
        ink.extend([(run.styles, run.speaker)] * shown_length(run.text))
    return ink


def ink_of_line(line: CaptionLine) -> list[Ink]:
    """Styles and speaker of each character of a line that is not white space; the speaker is never left to the line."""
    return [(styles, speaker or line.speaker) for styles, speaker in ink_of(runs_of(line))]


def words_of_ink(line: CaptionLine, ink: Sequence[Ink]) -> tuple[CaptionWord, ...]:
    """Words of a line spread over its time, styled by its characters: a word has a style that half of them have.

    Empty when all words are upright and spoken by the line's speaker, as for lines without words.
    """
    units = list(_units(line.text, ink))
    if not any(styles or speaker not in (None, line.speaker) for styles, speaker in units):
        return ()
    words = spread_text(line.text, line.start_ms, line.end_ms, Origin.HUMAN)
    return tuple(
        # `replace` takes four times as long, and files have 400,000 words.
        CaptionWord(word.start_ms, word.end_ms, word.text, word.origin, word.confidence, _other(speaker, line), styles)
        for word, (styles, speaker) in zip(words, units, strict=True)
    )


def words_in_parts(text: str, ink: Sequence[Ink]) -> int:
    """Words whose letters have different styles. Punctuation beside them does not count."""
    count = start = 0
    for unit in word_units(text) if ink else ():
        letters = {ink[start + at][0] for at, letter in enumerate(unit) if letter.isalnum() and start + at < len(ink)}
        count += len(letters) > 1
        start += len(unit)
    return count


def _other(speaker: str | None, line: CaptionLine) -> str | None:
    return None if speaker == line.speaker else speaker


def _units(text: str, ink: Sequence[Ink]) -> Iterator[Ink]:
    start = 0
    for unit in word_units(text):
        part = ink[start : start + len(unit)]
        start += len(unit)
        first = part[0] if part else (NO_STYLES, None)
        if all(each == first for each in part):
            yield first
            continue
        counts = {style: sum(style in styles for styles, _ in part) for style in WordStyle}
        yield frozenset(style for style, count in counts.items() if 2 * count >= len(part)) or NO_STYLES, first[1]
