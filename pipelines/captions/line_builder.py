"""Build caption lines from words, by a profile's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipelines.captions.spacing import space_out
from pipelines.captions.spoken_by import part_of
from pipelines.captions.texts.break_points import Break, breaks_between, rows_needed, wrap
from pipelines.captions.texts.text import clean_text, join_words, visible_length, word_spans
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin
from serve.tasks.transcription.messages import Segment

# The cost of ending a line at a place. A pause makes any place better. Tuned by reading results on talks.
_END_COST = {
    Break.SENTENCE: 0.0,
    Break.CLAUSE: 2.0,
    Break.LINK: 4.0,
    Break.PLAIN: 5.0,
    Break.LEANING: 11.0,
    Break.INSIDE: 16.0,
    # Only a word that is too long for a line is cut so.
    Break.FORBIDDEN: 200.0,
}
_LINE_COST = 2.5
_SHORT_LENGTH = 15
_PAUSE_WORTH_MS = 150
_BREATH_MS = 400


def lines_from_segments(segments: Sequence[Segment], rules: CaptionRules, language: str = "") -> list[CaptionLine]:
    """Lines of a model's segments in a language such as `is-IS`.

    A line carries the doubts of every segment it took a word from.
    """
    words: list[CaptionWord] = []
    doubts: list[tuple[str, ...]] = []
    for segment in segments:
        spoken = words_of(segment)
        words.extend(spoken)
        doubts.extend([segment.doubts] * len(spoken))
    lines: list[CaptionLine] = []
    index = 0
    for line in lines_from_words(words, rules, language):
        after = index + len(line.words)
        named = dict.fromkeys(doubt for each in doubts[index:after] for doubt in each)
        lines.append(replace(line, doubts=tuple(named)))
        index = after
    return lines


def words_of(segment: Segment) -> tuple[CaptionWord, ...]:
    """The segment's words, or its text spread over its time when the engine gave none."""
    if not segment.words:
        return spread_text(clean_text(segment.text), segment.start_ms, segment.end_ms, Origin.ASR)
    texts = ((word, clean_text(word.text).replace("\n", " ")) for word in segment.words)
    return tuple(
        CaptionWord(word.start_ms, max(word.start_ms, word.end_ms), text, Origin.ASR, word.confidence)
        for word, text in texts
        if text
    )


def lines_from_words(words: Sequence[CaptionWord], rules: CaptionRules, language: str = "") -> list[CaptionLine]:
    """Lines over the words, in time order, numbered from `1`. Every word is in exactly one line.

    No line is longer than the rules allow in rows, characters or milliseconds (unless one word alone is), none spans a
    pause of `pause_ms` or two speakers, and of all ways to cut the words the one with the best ends is taken. Ends are
    then stretched for reading where there is room, and a gap of `gap_ms` is kept.
    """
    ordered = _in_order(words)
    code = language.partition("-")[0].lower()
    lines: list[CaptionLine] = []
    for run in _runs(ordered, rules):
        for part in _best_cut(run, rules, code):
            rows = wrap([word.text for word in part], rules.max_row, rules.max_rows, code)
            text = "\n".join(rows) if rows else join_words([word.text for word in part])
            end = max(word.end_ms for word in part)
            line = CaptionLine(str(len(lines) + 1), part[0].start_ms, end, text)
            lines.append(part_of(line, part))
    return space_out(lines, rules)


def _in_order(words: Sequence[CaptionWord]) -> list[CaptionWord]:
    return sorted((word for word in words if word.text), key=lambda word: word.start_ms)


def _runs(words: list[CaptionWord], rules: CaptionRules) -> list[list[CaptionWord]]:
    """Split the words at every long pause and every change of speaker."""
    runs: list[list[CaptionWord]] = []
    heard_until = 0
    for word in words:
        if not runs or word.start_ms - heard_until >= rules.pause_ms or word.speaker != runs[-1][-1].speaker:
            runs.append([])
            heard_until = word.end_ms
        runs[-1].append(word)
        heard_until = max(heard_until, word.end_ms)
    return runs


def _best_cut(run: list[CaptionWord], rules: CaptionRules, language: str) -> list[list[CaptionWord]]:
    """The cheapest way to cut a run into lines, by dynamic programming over the index of the last cut."""
    count = len(run)
    texts = [word.text for word in run]
    text = join_words(texts)
    spans = word_spans(text, texts)
    ends = [*breaks_between(text, spans, language), Break.SENTENCE]
    lengths = [visible_length(each) for each in texts]
    gaps = [after[0] - before[1] for before, after in pairwise(spans)] + [0]
    glued = [-1 - gap if end is Break.FORBIDDEN else gap for end, gap in zip(ends, gaps, strict=True)]
    cost = [0.0] + [float("inf")] * count
    cut_from = [0] * (count + 1)
    for stop in range(1, count + 1):
        length = 0
        for start in range(stop - 1, -1, -1):
            length += lengths[start] + (gaps[start] if start < stop - 1 else 0)
            alone = stop - start == 1
            if not alone and not _may_hold(run, lengths, glued, start, stop, length, rules):
                break
            total = cost[start] + _line_cost(run, ends, start, stop, length, rules)
            if total < cost[stop]:
                cost[stop], cut_from[stop] = total, start
    parts: list[list[CaptionWord]] = []
    stop = count
    while stop:
        parts.append(run[cut_from[stop] : stop])
        stop = cut_from[stop]
    return parts[::-1]


def _may_hold(
    run: list[CaptionWord],
    lengths: list[int],
    gaps: list[int],
    start: int,
    stop: int,
    length: int,
    rules: CaptionRules,
) -> bool:
    if run[stop - 1].end_ms - run[start].start_ms > rules.max_ms:
        return False
    needed = rows_needed(lengths[start:stop], rules.max_row, gaps[start:stop])
    return length <= rules.max_row or needed <= rules.max_rows


def _line_cost(
    run: list[CaptionWord], ends: list[Break], start: int, stop: int, length: int, rules: CaptionRules
) -> float:
    cost = _LINE_COST
    if stop < len(run):
        pause = run[stop].start_ms - run[stop - 1].end_ms
        at_end = _END_COST[ends[stop - 1]]
        cost += at_end - min(at_end, max(0, pause) / _PAUSE_WORTH_MS)
        until_next = run[stop].start_ms - run[start].start_ms
        if until_next < rules.gap_ms * 2:
            cost += 30.0
        shown = min(until_next - rules.gap_ms, rules.max_ms)
        if shown < rules.min_ms:
            cost += 4.0 * (1 - shown / rules.min_ms)
        if shown > 0 and length * 1000 / shown > rules.max_speed:
            cost += 2.0
    if length < _SHORT_LENGTH:
        cost += 3.0
    # A sentence may end inside a line. One that begins just before the line's end makes readers stumble.
    for inside in range(start, stop - 1):
        silence = run[inside + 1].start_ms - run[inside].end_ms
        if silence > _BREATH_MS:
            cost += min(8.0, silence / 100)
        if ends[inside] is Break.SENTENCE:
            trailing = stop - 1 - inside
            unfinished = ends[stop - 1] is not Break.SENTENCE
            cost += (6.0 if trailing <= 3 else 3.5) if unfinished else 1.0
    return cost
