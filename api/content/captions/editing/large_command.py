"""From reading to the commit: read without the lock, compute in a process, then take the lock and write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.editing.writing import WritePlan
from api.content.captions.errors import EditFailed
from api.content.captions.large.change import LARGE_LINES, LargeChange, LargeRefusal, LargeWork, large_change
from api.content.captions.large.process import in_process
from api.content.captions.large.staging import StagedRows
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict
from cluster.wording.message import Message

RACE = Message(
    "captions.race", "Somebody keeps changing these captions, so nothing was changed. Try again in a moment."
)
ATTEMPTS = 3

T = TypeVar("T")
Plan = LargeChange | WritePlan
Read = Callable[[AsyncSession], Awaitable[LargeWork | WritePlan | None]]
"""What there is to compute before the transaction; None for little, and for what the transaction refuses."""
Write = Callable[[AsyncSession, Plan | None], Awaitable[T]]


class CaptionsMovedOn(Exception):
    """Somebody saved a change after the lines were read: read again."""


async def run_command(
    database: Database, viewer: Viewer, read: Read, write: Write[T], *, race: str = RACE, attempts: int = ATTEMPTS
) -> T:
    """Run a command that may change many lines. `write` raises `CaptionsMovedOn` where its plan does not `fit`.

    Raises `EditFailed` for a change that cannot be made, and `Conflict` when the captions change at every attempt.
    """
    for _ in range(attempts):
        async with database.read() as session:
            found = await read(session)
        plan = await _prepared(viewer, found) if isinstance(found, LargeWork) else found
        try:
            async with database.write(StagedRows(plan) if isinstance(plan, LargeChange) else None) as session:
                return await write(session, plan)
        except CaptionsMovedOn:
            continue
    raise Conflict(race)


async def _prepared(viewer: Viewer, work: LargeWork) -> LargeChange:
    made = await in_process(viewer.user_id, partial(large_change, work))
    if isinstance(made, LargeRefusal):
        raise EditFailed(made.message)
    return made


async def is_large(session: AsyncSession, track: CaptionTrack, *, new_lines: int = 0) -> bool:
    """Whether changes of this track, or so many new lines, are prepared in a process; those of translations are not."""
    if is_linked(track):
        return False
    return max(new_lines, await queries.count_lines(session, track.id)) >= LARGE_LINES


def fitting(plan: Plan | None, track: CaptionTrack) -> LargeChange | None:
    """The plan if it is a large one. Raises `CaptionsMovedOn` when it was made for another state of the track."""
    if not isinstance(plan, LargeChange):
        return None
    if plan.track_id != track.id or plan.revision != track.revision + 1:
        raise CaptionsMovedOn
    return plan
