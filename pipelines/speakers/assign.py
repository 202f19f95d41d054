"""Puts speakers on caption lines, and breaks lines where the speaker changes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from pipelines.captions.edits.split_line import split_line
from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.spoken_by import words_spoken_by
from pipelines.captions.texts.break_points import wrap
from pipelines.captions.texts.text import visible_length, word_spans
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord
from pipelines.messages.speakers import Turn
from pipelines.speakers.word_speakers import speakers_of


def assign(
    lines: Sequence[CaptionLine],
    turns: Sequence[Turn],
    *,
    keep: Collection[str] = (),
    rules: CaptionRules = DEFAULT_RULES,
    new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
) -> list[CaptionLine]:
    """The lines with the speakers of the turns, all in time order. Lines whose id is in `keep` stay as they are.

    A line of several speakers becomes a line for each: the first keeps the id. Text and word times stay the same.
    Without turns the lines stay as they are: nothing says who speaks.
    """
    if not turns:
        return list(lines)
    open_lines = [line for line in lines if line.id not in keep]
    speakers = iter(speakers_of([word for line in open_lines for word in _timed(line)], turns))
    assigned: list[CaptionLine] = []
    for line in lines:
        if line.id in keep:
            assigned.append(line)
        else:
            assigned.extend(_broken(line, [next(speakers) for _ in _timed(line)], rules, new_id))
    return assigned


def _timed(line: CaptionLine) -> Sequence[CaptionWord]:
    """The words of the line; one for its whole time where it has none."""
    return line.words or (CaptionWord(line.start_ms, line.end_ms, line.text),)


def _broken(
    line: CaptionLine, speakers: Sequence[str | None], rules: CaptionRules, new_id: Callable[[], str]
) -> Iterator[CaptionLine]:
    """A line for each run of one speaker."""
    changes = [index for index in range(1, len(speakers)) if speakers[index] != speakers[index - 1]]
    if not changes or line.duration_ms < 2 * len(changes) + 2 or len(line.text) > LINE_CHARS_MAX:
        most = max(dict.fromkeys(speakers), key=list(speakers).count)
        owned = (replace(word, speaker=who) for word, who in zip(line.words, speakers, strict=False))
        yield replace(line, speaker=most, words=words_spoken_by(tuple(owned), most, most))
        return
    rest = replace(
        line,
        speaker=speakers[0],
        words=tuple(replace(word, speaker=who) for word, who in zip(line.words, speakers, strict=True)),
    )
    done = 0
    for change in changes:
        at = word_spans(rest.text, [word.text for word in rest.words])[change - done][0]
        if rest.duration_ms < 2 or not rest.text[:at].strip() or not rest.text[at:].strip():
            continue
        first, rest = split_line(rest, at, new_id(), rules)
        done = change
        yield _wrapped(first, rules)
    yield _wrapped(rest, rules)


def _wrapped(line: CaptionLine, rules: CaptionRules) -> CaptionLine:
    """The line in one row where it fits: half of a line rarely needs its row break."""
    if "\n" not in line.text or visible_length(line.text) > rules.max_row:
        return line
    rows = wrap([word.text for word in line.words], rules.max_row, rules.max_rows)
    return replace(line, text="\n".join(rows)) if rows else line
