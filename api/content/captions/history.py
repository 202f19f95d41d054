"""Which change Undo takes back next and which one Redo restores, derived from the order of changes alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from api.content.captions.actions import FOLLOW, LIVE, MEASURE, CaptionAction


@dataclass(frozen=True, slots=True)
class History:
    """Revision numbers, the next one last: the changes in force, and the undone ones that Redo can restore."""

    done: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()


_OUTSIDE = frozenset({FOLLOW, LIVE, MEASURE})
_PRUNED = 0
"""Stands for a change that has been pruned. Numbers begin at 1."""


def replay(revisions: Iterable[tuple[int, str]]) -> History:
    """The history after these revisions, given as number and action in ascending order.

    A change made after an undo discards what was undone, as in every editor. The oldest revisions may have been
    pruned. Undo and redo stop where they would need one of those. Changes that only follow the source of a translation
    belong to the history of the
    source, and lines that are added live and measured times of words to nobody's.
    """
    done: list[int] = []
    undone: list[int] = []
    for number, action in revisions:
        if action in _OUTSIDE:
            continue
        if action == CaptionAction.UNDO:
            undone.append(done.pop() if done else _PRUNED)
        elif action == CaptionAction.REDO:
            done.append(undone.pop() if undone else _PRUNED)
        else:
            done.append(number)
            undone.clear()
    return History(_reachable(done), _reachable(undone))


def _reachable(numbers: list[int]) -> tuple[int, ...]:
    while _PRUNED in numbers:
        del numbers[: numbers.index(_PRUNED) + 1]
    return tuple(numbers)
