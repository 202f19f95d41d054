"""Keep a translation in step with its source, as pure functions.

A change of source lines becomes a change of the lines that translate them. Splits, merges and deletions are repeated,
times move along, and the text of a line as translated stays beside its new text, so that a reader sees both. After each
change every linked line names source lines that exist, in their order, and no two lines of a lane overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.linked_times import apart, in_order, moved_along, spread_anew
from pipelines.captions.edits.links import joined_links, one_row, sources_of, unique, with_sources
from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.texts.text import word_spans, word_units
from pipelines.messages.lines import CaptionLine, LineLink, SourceText, Writer

NewId = Callable[[], str]


def needs_step(change: EditResult) -> bool:
    """Whether translations must change too. A mere change of texts only makes them stale."""
    before, after = (
        {line.id: (line.start_ms, line.end_ms, line.place, line.forced) for line in lines}
        for lines in (change.before, change.after)
    )
    return before != after


def follow(
    change: EditResult, lines: Sequence[CaptionLine], *, new_id: NewId, starts: Mapping[str, int] | None = None
) -> EditResult:
    """The change of a translation that follows a change of its source.

    `lines` are the translation's lines that are linked to changed source lines, with all lines near them, in order.
    `starts` has the start of other source lines that those lines are linked to.
    """
    touched = {line.id for line in change.before}
    linked = [line for line in lines if line.link and any(source.id in touched for source in line.link.sources)]
    if not linked:
        return EditResult()
    order = {**(starts or {}), **{line.id: line.start_ms for line in change.after}}
    if _is_split(change):
        followed = _split(change, linked, new_id)
    elif _is_merge(change):
        followed = _merged(change, linked, lines, order)
    else:
        followed = _relinked(change, linked, order)
    timed = moved_along(change, linked, followed)
    old = {line.id: line for line in linked}
    others = [line for line in lines if line.id not in old]
    fitted = apart(timed, others)
    # Where the new times leave a line no room, or would take it past another, all lines keep their old ones, which fit.
    after = followed if fitted is None or not in_order(lines, fitted, others) else fitted
    unchanged = set(linked) & set(after)
    return EditResult(
        tuple(line for line in linked if line not in unchanged),
        tuple(line for line in after if line not in unchanged),
    )


def linked_by_time(
    lines: Sequence[CaptionLine], sources: Sequence[CaptionLine], *, by: Writer = Writer.PERSON
) -> list[CaptionLine]:
    """Link lines that have no link yet, each to the source lines that overlap it most. Both are in time order."""
    chosen: dict[str, list[SourceText]] = {line.id: [] for line in lines}
    for source, line in _by_overlap(sources, lines):
        chosen[line.id].append(SourceText(source.id, source.text))
    return [replace(line, link=LineLink(tuple(chosen[line.id]), by)) for line in lines]


def _is_split(change: EditResult) -> bool:
    """Whether one line became two in its place. A line changed while another was added elsewhere is no split."""
    if len(change.before) != 1 or len(change.after) != 2 or change.after[0].id != change.before[0].id:
        return False
    return change.after[1].start_ms < change.before[0].end_ms


def _is_merge(change: EditResult) -> bool:
    """Whether two lines became one with the text of both. A line changed while another was deleted is no merge."""
    if len(change.before) != 2 or len(change.after) != 1 or change.after[0].id != change.before[0].id:
        return False
    return change.after[0].end_ms >= change.before[1].end_ms


def _split(change: EditResult, linked: Sequence[CaptionLine], new_id: NewId) -> list[CaptionLine]:
    """Both halves of the source have a translation, if its text can be divided."""
    first, second = change.after
    if len(linked) > 1:
        return _shared_out(linked, first, second)
    line = linked[0]
    assert line.link is not None
    if len(line.link.sources) == 1:
        halves = _halves(line, first, second, new_id)
        if halves is not None:
            return halves
    sources: list[SourceText] = []
    for source in line.link.sources:
        sources.append(source)
        if source.id == first.id:
            sources.append(SourceText(second.id, ""))
    return [with_sources(line, sources)]


def _shared_out(linked: Sequence[CaptionLine], first: CaptionLine, second: CaptionLine) -> list[CaptionLine]:
    """Several lines translate the line that was split: each goes with the half it stands beside."""
    count = sum((line.start_ms + line.end_ms) // 2 < second.start_ms for line in linked)
    count = min(max(count, 1), len(linked) - 1)
    shared = list(linked[:count])
    for line in linked[count:]:
        assert line.link is not None
        renamed = [replace(each, id=second.id) if each.id == first.id else each for each in line.link.sources]
        shared.append(with_sources(line, renamed))
    return shared


def _halves(line: CaptionLine, first: CaptionLine, second: CaptionLine, new_id: NewId) -> list[CaptionLine] | None:
    """The line cut between two words, at the same share of its text. None when it is one word or lasts under 2 ms."""
    spans = word_spans(line.text, word_units(line.text))
    if len(spans) < 2 or line.duration_ms < 2:
        return None
    share = len(first.text) / max(1, len(first.text) + len(second.text))
    at = min((start for start, _ in spans[1:]), key=lambda start: abs(start - share * len(line.text)))
    meet = second.start_ms
    if not line.start_ms < meet < line.end_ms:
        meet = line.start_ms + max(1, min(line.duration_ms - 1, round(line.duration_ms * share)))
    end = first.end_ms if line.start_ms < first.end_ms <= meet else meet
    assert line.link is not None
    text = line.link.sources[0].text
    left = replace(line, end_ms=end, text=line.text[:at].strip())
    right = replace(line, id=new_id(), start_ms=meet, text=line.text[at:].strip())
    count = sum(start < at for start, _ in spans)
    return [
        spread_anew(with_sources(left, [SourceText(first.id, text)]), line.words[:count]),
        spread_anew(with_sources(right, [SourceText(second.id, text)]), line.words[count:]),
    ]


def _merged(
    change: EditResult, linked: Sequence[CaptionLine], lines: Sequence[CaptionLine], order: Mapping[str, int]
) -> list[CaptionLine]:
    """One translation for the merged line, unless it would be too long or another line stands in between.

    A line of another lane may stand between the two that were merged, so the order of a line's sources may change.
    """
    gone, merged = change.before[1].id, change.after[0]
    sources = unique(source for line in linked for source in sources_of(line))
    whole = _whole([source.text for source in sources if source.id in (gone, merged.id)], merged)
    text = " ".join(line.text for line in linked if line.text)
    start, end = linked[0].start_ms, linked[-1].end_ms
    ids = {line.id for line in linked}
    lanes = {line.lane for line in linked}
    between = len(lanes) > 1 or any(
        line.id not in ids and line.lane in lanes and start < line.end_ms and line.start_ms < end for line in lines
    )
    if len(linked) == 1 or between or len(text) > LINE_CHARS_MAX:
        return [with_sources(line, _by_start(_renamed(sources_of(line), gone, whole), line, order)) for line in linked]
    joined = replace(linked[0], end_ms=end, text=text, link=joined_links(linked))
    words = [word for line in linked for word in line.words]
    return [spread_anew(with_sources(joined, _by_start(_renamed(sources, gone, whole), joined, order)), words)]


def _whole(then: Sequence[str], merged: CaptionLine) -> SourceText:
    """The merged source line as translated. Both halves of a line that was split name its whole text."""
    texts = " ".join(text for text in then if text)
    if one_row(texts) == one_row(merged.text):
        return SourceText(merged.id, merged.text)
    return SourceText(merged.id, then[0] if len(set(then)) == 1 else texts)


def _renamed(sources: Sequence[SourceText], gone: str, whole: SourceText) -> list[SourceText]:
    return unique(whole if source.id in (gone, whole.id) else source for source in sources)


def _relinked(change: EditResult, linked: Sequence[CaptionLine], order: Mapping[str, int]) -> list[CaptionLine]:
    """Lines whose source is gone go with the new source lines at their time, or with their source."""
    before = {line.id: line for line in change.before}
    after = {line.id: line for line in change.after}
    fresh = [line for line in change.after if line.id not in before]
    bereft = [line for line in linked if any(each.id in before and each.id not in after for each in sources_of(line))]
    gained: dict[str, list[CaptionLine]] = {line.id: [] for line in bereft}
    for source, line in _by_overlap(sorted(fresh, key=lambda line: line.start_ms), bereft):
        gained[line.id].append(source)
    relinked = []
    for line in linked:
        remaining = [each for each in sources_of(line) if each.id not in before or each.id in after]
        lost = [each for each in sources_of(line) if each.id in before and each.id not in after]
        sources = remaining + _as_translated(lost, gained.get(line.id, []))
        if sources:
            relinked.append(with_sources(line, _by_start(sources, line, order)))
    return relinked


def _by_start(sources: Iterable[SourceText], line: CaptionLine, order: Mapping[str, int]) -> list[SourceText]:
    return sorted(sources, key=lambda source: order.get(source.id, line.start_ms))


def _as_translated(lost: Sequence[SourceText], fresh: Sequence[CaptionLine]) -> list[SourceText]:
    """New source lines in place of lost ones. If they say the same together, the translation stays up to date."""
    if not fresh:
        return []
    then = " ".join(source.text for source in lost)
    if one_row(then) == one_row(" ".join(line.text for line in fresh)):
        return [SourceText(line.id, line.text) for line in fresh]
    return [SourceText(line.id, then if index == 0 else "") for index, line in enumerate(fresh)]


def _by_overlap(
    sources: Sequence[CaptionLine], lines: Sequence[CaptionLine]
) -> Iterable[tuple[CaptionLine, CaptionLine]]:
    """Each source line with the line that overlaps it longest, if one does. Both are in time order.

    A line of the source's lane comes before any other.
    """
    index = 0
    for source in sources:
        while index < len(lines) and lines[index].end_ms <= source.start_ms:
            index += 1
        best, longest = None, (False, 0)
        for line in lines[index:]:
            if line.start_ms >= source.end_ms:
                break
            overlap = min(line.end_ms, source.end_ms) - max(line.start_ms, source.start_ms)
            rank = (line.lane is source.lane, overlap)
            if overlap > 0 and rank > longest:
                best, longest = line, rank
        if best is not None:
            yield source, best
