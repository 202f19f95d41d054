"""Put the chosen translations of a group back into its cues."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.texts.text import join_words
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.translate import LineFlag, TargetLine
from pipelines.translation.attention import cue_shares
from pipelines.translation.checks import Checker
from pipelines.translation.choice import Candidate
from pipelines.translation.groups import SentenceGroup
from pipelines.translation.recut import Row, recut
from pipelines.translation.rows import break_rows
from pipelines.translation.speed import is_too_long
from pipelines.translation.texts.boundaries import units_of


def rows_of(group: SentenceGroup, text: str, attention: Sequence[Sequence[float]], rules: CaptionRules) -> list[Row]:
    """The translation of a group with one part, cut into its cues."""
    if len(group.lines) == 1:
        return [Row(0, 1, text)]
    source = group.parts[0].marked.text
    shares = cue_shares(source, group.cue_texts, text, units_of(text), attention) if attention else None
    return recut(text, group.lines, rules, shares)


def target_lines(
    group: SentenceGroup, chosen: Sequence[Candidate | None], rules: CaptionRules, checker: Checker
) -> list[TargetLine]:
    """The finished lines of a group. `chosen` has one entry for each part, None where no model returned usable text.

    Such a part keeps the source's text. So does one without words, such as `♪`, which is not flagged.
    """
    if len(group.lines) == 1:
        return [_line_of_parts(group, chosen, rules, checker)]
    candidate, marked = chosen[0], group.parts[0].marked
    if candidate is None:
        rows: Sequence[Row] = [Row(index, index + 1, text) for index, text in enumerate(group.cue_texts)]
        flags: list[set[LineFlag]] = [{LineFlag.UNTRANSLATED} for _ in rows]
    else:
        rows = candidate.rows
        sources = [" ".join(group.cue_texts[row.first : row.after]) for row in rows]
        flags = checker.row_flags(candidate.losses, sources)
    lines = []
    for row, marks in zip(rows, flags, strict=True):
        before = marked.before if row.first == 0 else ""
        after = marked.after if row.after == len(group.lines) else ""
        text = break_rows(f"{before}{row.text}{after}", rules)
        lines.append(_line(group, row, text, [candidate], marks, rules))
    return lines


def _line_of_parts(
    group: SentenceGroup, chosen: Sequence[Candidate | None], rules: CaptionRules, checker: Checker
) -> TargetLine:
    """One cue of one or several passages, such as the two turns of a dialogue."""
    rows: list[str] = []
    marks: set[LineFlag] = set()
    spoken = [candidate for part, candidate in zip(group.parts, chosen, strict=True) if part.marked.text]
    for part, candidate in zip(group.parts, chosen, strict=True):
        text = part.marked.around(candidate.text if candidate is not None else part.marked.text)
        if candidate is not None:
            marks |= checker.row_flags(candidate.losses, [part.marked.text])[0]
        elif part.marked.text:
            marks.add(LineFlag.UNTRANSLATED)
        if rows and not part.new_row:
            rows[-1] = join_words([rows[-1], text])
        else:
            rows.append(text)
    text = "\n".join(break_rows(row, rules) for row in rows)
    return _line(group, Row(0, 1, text), text, spoken, marks, rules)


def _line(
    group: SentenceGroup,
    row: Row,
    text: str,
    chosen: Sequence[Candidate | None],
    marks: set[LineFlag],
    rules: CaptionRules,
) -> TargetLine:
    lines = group.lines[row.first : row.after]
    start, end = lines[0].start_ms, lines[-1].end_ms
    used = [candidate for candidate in chosen if candidate is not None]
    if used and is_too_long(text, end - start, rules):
        marks.add(LineFlag.TOO_FAST)
    if any(candidate.is_fallback for candidate in used):
        marks.add(LineFlag.FALLBACK)
    known = [candidate.log_probability for candidate in used if candidate.log_probability is not None]
    return TargetLine(
        source_ids=tuple(line.id for line in lines),
        source_texts=tuple(line.text for line in lines),
        start_ms=start,
        end_ms=end,
        text=text,
        log_probability=min(known) if known else None,
        flags=tuple(flag for flag in LineFlag if flag in marks),
    )
