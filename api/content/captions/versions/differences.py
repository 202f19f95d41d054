"""What each change of a track did, in short: how many lines it touched, and the first of them before and after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Text, case, cast

from api.content.captions.actions import CaptionAction
from api.content.captions.models import CaptionRevision
from api.content.captions.stored.revision_lines import values_of_text
from api.content.captions.versions.schemas import CaptionVersionChange

_BYTES_MAX = 20_000
"""Of the lines of one change. A larger one, such as an import, is known by its name, and reading it takes long."""
_is_small = CaptionRevision.size_bytes <= _BYTES_MAX

COLUMNS = (
    CaptionRevision.step_of,
    case((_is_small, cast(CaptionRevision.before, Text))).label("before"),
    case((_is_small, cast(CaptionRevision.after, Text))).label("after"),
)


def differences(rows: Sequence[Any]) -> dict[int, CaptionVersionChange]:
    """By number; none for what touched no line, or too many."""
    known = {row.number: row for row in rows}
    found = {}
    for row in rows:
        change = _difference(row, known)
        if change is not None:
            found[row.number] = change
    return found


def _difference(row: Any, known: Mapping[int, Any]) -> CaptionVersionChange | None:
    if row.before is None or row.after is None:
        return None
    before, after = _lines(row.before), _lines(row.after)
    step = known.get(row.step_of)
    if not before and not after and step is not None and step.before is not None and step.after is not None:
        before, after = _lines(step.before), _lines(step.after)
        if row.action == CaptionAction.UNDO:
            before, after = after, before
    touched = [line for line in {**before, **after} if before.get(line) != after.get(line)]
    if not touched:
        return None
    first = min(touched, key=lambda line: (before.get(line) or after[line])["start_ms"])
    old, new = before.get(first), after.get(first)
    return CaptionVersionChange(
        lines=len(touched),
        line=first,
        start_ms=(old or after[first])["start_ms"],
        before=None if old is None else old["text"],
        after=None if new is None else new["text"],
    )


def _lines(text: str) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in values_of_text(text)}
