"""What writing and answering a change of many lines needs, made in a process of its own (`process.py`).

20,000 lines take two seconds of processor time. In the web process every other call would wait for Python's lock
meanwhile, and within the transaction everybody for SQLite's write lock. So this module and those it imports know
neither the database nor the web, and start in half a second.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from api.content.captions.large.heirs import Heirs
from api.content.captions.stored.revision_lines import lines_of_revision, pack_lines, result_of_lines
from api.content.captions.stored.row_values import rows_of
from api.content.captions.wire import line_to_wire
from pipelines.captions.edits.corrections import Correction, corrected
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.texts.stored_lines import lines_of_text
from pipelines.messages.lines import CaptionLine

LARGE_LINES = 2_000
"""Lines of a track from which on its changes are prepared in a process: fewer take 0.2 s, and the process 0.5 s."""

Tool = Callable[[Sequence[CaptionLine]], tuple[EditResult, int]]
"""Makes a change from all lines, and says in how many places, where that counts. Raises `EditRefused`."""


@dataclass(frozen=True, slots=True)
class LargeWork:
    """The change that `tool` makes of `lines`, which are as `text_of_lines` reads them, as revision `revision`.

    `keeps_before`: a version keeps all lines as they are before it.
    """

    tool: Tool
    track_id: uuid.UUID
    revision: int
    lines: str = "[]"
    sqlite: bool = False
    keeps_before: bool = True


@dataclass(frozen=True, slots=True)
class LargeChange:
    """A change that makes revision `revision` of a track. Counts are of lines before and after it.

    `lines`, of about `size` bytes, are as a revision stores them; `kept` has all lines before it, for a version.
    JSON for the database: `rows` of the lines after it, `touched` with the ids of all. JSON for the answer: `changed`.
    For notes: `heirs` has the lines that took the place of removed ones, `returned` the lines that were not there.
    """

    track_id: uuid.UUID
    revision: int
    before_count: int
    after_count: int
    lines: dict[str, Any]
    size: int
    kept: str | None
    rows: str
    touched: str
    changed: bytes
    removed: tuple[str, ...]
    heirs: str
    returned: str
    corrections: tuple[Correction, ...]
    places: int

    @property
    def is_empty(self) -> bool:
        return not self.before_count and not self.after_count

    @property
    def growth(self) -> int:
        """How many lines the track gains."""
        return self.after_count - self.before_count

    def result(self) -> EditResult:
        """The lines. Unpacking 20,000 takes a second."""
        return result_of_lines(self.lines)


@dataclass(frozen=True, slots=True)
class LargeRefusal:
    """The change cannot be made; `message` is the sentence for the person."""

    message: str


def large_change(work: LargeWork) -> LargeChange | LargeRefusal:
    lines = lines_of_text(work.lines)
    try:
        result, places = work.tool(lines)
    except EditRefused as refused:
        return LargeRefusal(str(refused))
    before, after = {line.id for line in result.before}, {line.id for line in result.after}
    removed = [line for line in result.before if line.id not in after]
    stored, size = lines_of_revision(result)
    heirs = Heirs(result.after)
    rows = rows_of(result.after, work.track_id, revision=work.revision, sqlite=work.sqlite)
    return LargeChange(
        track_id=work.track_id,
        revision=work.revision,
        before_count=len(result.before),
        after_count=len(result.after),
        lines=stored,
        size=size,
        kept=pack_lines(lines) if work.keeps_before and lines else None,
        rows=_json(rows),
        touched=_json([each.replace("-", "") if work.sqlite else each for each in before | after]),
        changed=_json([line_to_wire(line, work.revision) for line in result.after]).encode(),
        removed=tuple(line.id for line in removed),
        heirs=_json({line.id: heirs.of(line) for line in removed}),
        returned=_json(sorted(after - before)),
        corrections=tuple(corrected(result.before, result.after)),
        places=places,
    )


def _json(values: object) -> str:
    # `default`: PostgreSQL's rows hold ids as such.
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)
