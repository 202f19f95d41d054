"""Break a translated line into rows: by the line builder, or by characters in scripts without spaces."""

from __future__ import annotations

import itertools

from pipelines.captions.texts.break_points import wrap_text
from pipelines.captions.texts.text import visible_length
from pipelines.messages.caption_rules import CaptionRules
from pipelines.translation.texts.boundaries import Unit, units_of
from pipelines.translation.texts.scripts import is_unspaced

_BALANCE = 3.0


def break_rows(text: str, rules: CaptionRules) -> str:
    """One row of text as rows of a caption. Only white space changes.

    More rows than the rules allow come out for text that needs them: nothing is cut off.
    """
    if not is_unspaced(text):
        rows = wrap_text(text, rules.max_row, rules.max_rows)
        if rows is not None:
            return "\n".join(rows)
    if visible_length(text) <= rules.max_row:
        return text
    units = units_of(text)
    return "\n".join(_two_rows(text, units, rules) or _filled(text, units, rules))


def _two_rows(text: str, units: list[Unit], rules: CaptionRules) -> list[str] | None:
    """Two balanced rows, cut at the best place; None when the text needs more."""
    if rules.max_rows < 2:
        return None
    best: tuple[float, list[str]] | None = None
    for left, right in itertools.pairwise(units):
        rows = [text[: left.stop], text[right.start :]]
        lengths = [visible_length(row) for row in rows]
        if max(lengths) > rules.max_row:
            continue
        cost = abs(lengths[0] - lengths[1]) / _BALANCE + left.cost
        if best is None or cost < best[0]:
            best = (cost, rows)
    return best[1] if best else None


def _filled(text: str, units: list[Unit], rules: CaptionRules) -> list[str]:
    """As many rows as it takes, each filled."""
    rows: list[str] = []
    begin = 0
    for unit in units:
        if rows and visible_length(text[begin : unit.stop]) <= rules.max_row:
            rows[-1] = text[begin : unit.stop]
        else:
            begin = unit.start
            rows.append(text[begin : unit.stop])
    return rows
