"""Safe fixes: each removes its finding, makes no other one, no measured number worse, and keeps every word.

All this is checked, not assumed. A proposal is applied to the line and its neighbours, and is dropped unless the
findings there get fewer and no number of those that stay gets worse. So fixing everything ends, and fixing it again
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.captions.edits.realign import realign
from pipelines.captions.lanes import lane_by_lane
from pipelines.captions.quality.findings import Circumstances, Finding, Fix, Rule
from pipelines.captions.quality.rules import find_at
from pipelines.captions.quality.text_fixes import text_fix
from pipelines.captions.quality.time_fixes import time_fix
from pipelines.messages.lines import CaptionLine

_MEASURED: dict[Rule, str] = {
    Rule.ROW_TOO_LONG: "length",
    Rule.TOO_MANY_ROWS: "rows",
    Rule.TOO_FAST: "speed",
    Rule.TOO_SHORT: "seconds",
    Rule.TOO_LONG: "seconds",
    **dict.fromkeys(
        (
            *(Rule.OVERLAP, Rule.SMALL_GAP, Rule.OPEN_GAP, Rule.AFTER_CUT, Rule.BEFORE_CUT),
            *(Rule.EARLY, Rule.LATE, Rule.LINGERS),
        ),
        "ms",
    ),
}
_AT_LEAST = frozenset({Rule.TOO_SHORT, Rule.SMALL_GAP})
_REACH = 2
"""A fix changes findings one line away, and those lines' fixes look one line further."""


def with_fix(finding: Finding, lines: Sequence[CaptionLine], index: int, about: Circumstances) -> Finding:
    """The finding with its fix, if there is a safe one."""
    fix = safe_fix(finding, lines, index, about)
    return finding if fix is None else replace(finding, fix=fix)


def safe_fix(finding: Finding, lines: Sequence[CaptionLine], index: int, about: Circumstances) -> Fix | None:
    """The fix of a finding on the line at `index` of the lines of a lane. None for a locked line."""
    line = lines[index]
    if line.locked:
        return None
    if finding.rule is Rule.EMPTY:
        # Nobody misses a line without text, whatever its neighbours look like afterwards.
        return Fix(line.id, "empty", removes=True)
    proposal = text_fix(finding, line, about) or time_fix(finding, lines, index, about)
    if proposal is None:
        return None
    first = max(0, index - 1)
    near = list(lines[first : index + 2])
    place = index - first
    # The line before the first one of these decides nothing: each line is judged with the one after it.
    after = list(near)
    after[place] = applied(line, proposal)
    return proposal if _is_better(finding, near, after, lines[index + 2 : index + 3], about) else None


def applied(line: CaptionLine, fix: Fix) -> CaptionLine:
    """The line after a fix, as an edit would leave it. Words that were not measured keep their times here."""
    if fix.text is not None:
        line = replace(line, text=fix.text, words=realign(line, fix.text))
    return replace(
        line,
        start_ms=line.start_ms if fix.start_ms is None else fix.start_ms,
        end_ms=line.end_ms if fix.end_ms is None else fix.end_ms,
    )


def _is_better(
    finding: Finding,
    before: Sequence[CaptionLine],
    after: Sequence[CaptionLine],
    rest: Sequence[CaptionLine],
    about: Circumstances,
) -> bool:
    old = _found([*before, *rest], len(before), about)
    new = _found([*after, *rest], len(after), about)
    return finding.key not in new and all(key in old and not _is_worse(old[key], now) for key, now in new.items())


def _found(lines: Sequence[CaptionLine], count: int, about: Circumstances) -> dict[tuple[Rule, str], Finding]:
    return {found.key: found for index in range(count) for found in find_at(lines, index, about)}


def _is_worse(old: Finding, new: Finding) -> bool:
    return new.severity.rank > old.severity.rank or _excess(new) > _excess(old)


def _excess(finding: Finding) -> float:
    """The number of a finding, so that less is better."""
    name = _MEASURED.get(finding.rule)
    if name is None:
        return 0.0
    value = float(finding.values[name])
    return -value if finding.rule in _AT_LEAST else value


def fix_all(lines: Sequence[CaptionLine], about: Circumstances, only: Rule | None = None) -> list[CaptionLine]:
    """The lines after every safe fix, or after those of one rule. Fixing the result again changes nothing."""
    keeps_empty = only not in (None, Rule.EMPTY)
    kept = [line for line in lines if keeps_empty or line.locked or line.text.strip()]
    return lane_by_lane(kept, lambda lane: _fix_lane(lane, about, only))


def _fix_lane(lines: Sequence[CaptionLine], about: Circumstances, only: Rule | None) -> list[CaptionLine]:
    fixed = list(lines)
    waiting = list(range(len(fixed) - 1, -1, -1))
    queued = set(waiting)
    while waiting:
        index = waiting.pop()
        queued.discard(index)
        wanted = (found for found in find_at(fixed, index, about) if only in (None, found.rule))
        fix = next((fix for found in wanted if (fix := safe_fix(found, fixed, index, about))), None)
        if fix is None:
            continue
        fixed[index] = applied(fixed[index], fix)
        for near in range(min(len(fixed) - 1, index + _REACH), max(0, index - _REACH) - 1, -1):
            if near not in queued:
                queued.add(near)
                waiting.append(near)
    return fixed
