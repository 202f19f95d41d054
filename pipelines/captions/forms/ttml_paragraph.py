"""One paragraph of TTML while it is read: text whose parts may be shown at times of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.styled_text import Run

Times = tuple[int, int | None]
"""From when until when; None for an end that nobody gives."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text and its time; None for the time of the paragraph."""

    run: Run
    times: Times | None


def shown_parts(pieces: Sequence[Piece], whole: Times, report: ImportReport) -> list[tuple[Times, list[Run]]]:
    """What is on screen, step by step. Text that only grows is one part, from its beginning until its end.

    No piece is left out, also where its time ends before it begins. `report` counts paragraphs that change.
    """
    times = [whole if piece.times is None else _within(piece.times, whole) for piece in pieces]
    seen = [each for each, piece in zip(times, pieces, strict=True) if piece.run.text.strip()]
    if len(set(seen)) <= 1:
        return [(seen[0] if seen else whole, [piece.run for piece in pieces])]
    if len({end for _, end in seen}) == 1:
        report.built_up += 1
        return [((min(begin for begin, _ in seen), seen[0][1]), [piece.run for piece in pieces])]
    parts = _steps(pieces, times, seen)
    report.changing.append(len(parts))
    return parts


def _within(times: Times, whole: Times) -> Times:
    begin, end = times
    if whole[1] is not None and begin < whole[1]:
        end = whole[1] if end is None else min(end, whole[1])
    return begin, end if end is None or end > begin else None


def _steps(pieces: Sequence[Piece], times: Sequence[Times], seen: Sequence[Times]) -> list[tuple[Times, list[Run]]]:
    edges = sorted({moment for each in seen for moment in each if moment is not None})
    ends: list[int | None] = [*edges[1:], None]
    parts: list[tuple[Times, list[Run]]] = []
    for begin, end in zip(edges, ends, strict=True):
        shown = [piece.run for piece, (start, stop) in zip(pieces, times, strict=True) if _is_on(begin, start, stop)]
        if any(run.text.strip() for run in shown):
            parts.append(((begin, end), shown))
    return parts


def _is_on(moment: int, start: int, stop: int | None) -> bool:
    return start <= moment and (stop is None or moment < stop)
