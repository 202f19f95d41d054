"""Walk back through changes to the lines of an earlier revision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.content.captions.actions import CaptionAction
from api.content.captions.stored.revision_lines import result_of_text, unpack_lines
from pipelines.captions.edits.edit import apply
from pipelines.captions.edits.offsets import moved
from pipelines.messages.lines import CaptionLine


@dataclass(frozen=True, slots=True)
class PastChange:
    """A revision with its lines as JSON text. `step_of` is the change that an undo or redo reverses."""

    number: int
    action: str
    before: str
    after: str
    moves: Mapping[str, Any] | None
    step_of: int | None

    @property
    def is_reference(self) -> bool:
        """Whether its lines stand in the change that it reverses."""
        return self.step_of is not None and self.before == "[]" and self.after == "[]" and not self.moves


@dataclass(frozen=True, slots=True)
class PastLines:
    """What leads to the lines of an earlier revision: `changes` after it, the newest first.

    `packed` has the lines after them, None for the present ones. `reversed_by_step` has the changes that undo and redo
    among them reverse, by number.
    """

    changes: Sequence[PastChange] = ()
    packed: str | None = None
    reversed_by_step: Mapping[int, PastChange] = field(default_factory=dict)

    def lines(self, now: Sequence[CaptionLine]) -> list[CaptionLine]:
        """In time order. `now` are the present lines, which are needed without `packed` alone."""
        lines = list(now) if self.packed is None else unpack_lines(self.packed)
        for change in self.changes:
            lines = self._before(lines, change)
        return sorted(lines, key=lambda line: (line.start_ms, line.id))

    def _before(self, lines: list[CaptionLine], change: PastChange) -> list[CaptionLine]:
        if change.is_reference and change.step_of is not None:
            step = self.reversed_by_step[change.step_of]
            is_undo = change.action == CaptionAction.UNDO
            if step.moves:
                return moved(lines, step.moves, back=not is_undo)
            made = result_of_text(step.before, step.after)
            return apply(lines, made if is_undo else made.undone())
        if change.moves:
            return moved(lines, change.moves, back=True)
        return apply(lines, result_of_text(change.before, change.after).undone())
