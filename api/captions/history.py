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


def replay(revisions: Iterable[tuple[int, str]]) -> History:
    """The history after all revisions, given as number and action in rising order.

    A change made after an undo gives up what was undone, as in every editor.
    """
    done: list[int] = []
    undone: list[int] = []
    for number, action in revisions:
        if action == CaptionAction.UNDO:
            undone.append(done.pop())
        elif action == CaptionAction.REDO:
            done.append(undone.pop())
        else:
            done.append(number)
            undone.clear()
    return History(tuple(done), tuple(undone))
