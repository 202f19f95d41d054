"""Which saved change undo takes back next and which one redo brings back, told from the order of changes alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from api.captions.actions import CaptionAction


@dataclass(frozen=True, slots=True)
class History:
    """Numbers of revisions, the next one last: those in force, and those undone that may come back."""

    done: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()


_PRUNED = 0
"""Stands for a change that is no longer kept; numbers begin at 1."""


def replay(revisions: Iterable[tuple[int, str]]) -> History:
    """The history after the kept revisions, given as number and action in rising order.

    A change made after an undo gives up what was undone, as in every editor. The oldest revisions may be gone: undo
    and redo end where they would need one of those.
    """
    done: list[int] = []
    undone: list[int] = []
    for number, action in revisions:
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
