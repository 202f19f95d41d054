"""The versions of a track: list them, look at one, restore it or some of its lines, keep one under a name."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import MEASURE, RESTORE
from api.content.captions.after_change import announce
from api.content.captions.editing import snapshots
from api.content.captions.editing.large_command import Plan, fitting, is_large, run_command
from api.content.captions.editing.saving import Change, save
from api.content.captions.errors import CHANGED_SINCE, EditFailed, StaleEdit
from api.content.captions.large import tools
from api.content.captions.large.change import LargeWork
from api.content.captions.models import CaptionRevision, CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.stored.snapshots import CaptionSnapshot
from api.content.captions.tracks import find_tracks, track_to_change
from api.content.captions.versions import differences
from api.content.captions.versions.past import PRUNED, lines_at, past_lines
from api.content.captions.versions.schemas import (
    CaptionVersionChange,
    CaptionVersionLine,
    CaptionVersionLinesOut,
    CaptionVersionOut,
    CaptionVersionsOut,
    NewSnapshot,
    Restoration,
)
from api.people.access.rules import author_of, is_same_person
from api.people.auth.viewer import Viewer
from api.people.reviewers.models import Reviewer
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.edits.restoring import restored

NO_CAPTIONS = Message("captions.nothing_to_keep", "There are no captions to keep yet.")
NO_SNAPSHOT = Message("captions.version_without_name", "This version has no name that could be removed.")


async def versions(session: AsyncSession, viewer: Viewer, key: str, language: str | None) -> CaptionVersionsOut:
    chosen = (await find_tracks(session, viewer, key)).choose(language)
    track = chosen.track
    if track is None:
        return CaptionVersionsOut(language=chosen.language, revision=0, versions=[])
    changes = await _changes(session, track)
    named = await _snapshots(session, track)
    readable = _readable(track.revision, {row.number for row in changes}, set(named))
    what = await asyncio.to_thread(differences.differences, changes)
    found = [
        _of_change(viewer, row, named.pop(row.number, None), row.number in readable, what.get(row.number))
        for row in changes
        if row.action != MEASURE
    ]
    found += [_of_snapshot(viewer, row, row.revision in readable) for row in named.values()]
    if 0 in readable and all(each.number for each in found):
        found.append(_first(track))
    found.sort(key=lambda each: -each.number)
    return CaptionVersionsOut(language=track.language, revision=track.revision, versions=found)


def _readable(revision: int, numbers: set[int], named: set[int]) -> set[int]:
    """The revisions whose lines can still be found: every change back from the present, or from a snapshot, is kept."""
    found = set()
    for start in (revision, *sorted(named, reverse=True)):
        at = start
        while at not in found:
            found.add(at)
            if at not in numbers or at == 0:
                break
            at -= 1
    return found


async def lines_of_version(
    session: AsyncSession, viewer: Viewer, key: str, number: int, language: str | None
) -> CaptionVersionLinesOut:
    track = (await find_tracks(session, viewer, key)).choose(language).track
    if track is None:
        raise NotFound(PRUNED)
    lines = await lines_at(session, track, number)
    values = [
        CaptionVersionLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, text=line.text, speaker=line.speaker)
        for line in lines
    ]
    return CaptionVersionLinesOut(number=number, lines=values)


async def restore(database: Database, viewer: Viewer, key: str, number: int, body: Restoration) -> Change:
    """One change that undo takes back. The present captions are kept first. Raises `StaleEdit` and `EditFailed`."""
    only = None if body.lines is None else {str(line) for line in body.lines}

    async def read(session: AsyncSession) -> LargeWork | None:
        track = (await find_tracks(session, viewer, key)).choose(body.language).track
        if track is None or body.issued < track.revision or not await is_large(session, track):
            return None
        tool = partial(tools.restore, past=await past_lines(session, track, number), only=only)
        lines = await queries.text_of_lines(session, track.id)
        return LargeWork(tool, track.id, track.revision + 1, lines, is_sqlite(session))

    async def write(session: AsyncSession, plan: Plan | None) -> Change:
        tracks = await find_tracks(session, viewer, key, hold=True)
        track = await track_to_change(session, tracks.choose(body.language))
        if body.issued < track.revision:
            raise StaleEdit(CHANGED_SINCE, revision=track.revision)
        result = fitting(plan, track) or await _restored(session, track, number, only)
        change = await save(session, viewer, track, RESTORE, result, label=await _title(session, track, number))
        await announce(session, tracks.file, change)
        return change

    return await run_command(database, viewer, read, write)


async def _restored(
    session: AsyncSession, track: CaptionTrack, number: int, only: Collection[str] | None
) -> EditResult:
    then = await lines_at(session, track, number)
    now = await all_lines(session, track)
    try:
        return await asyncio.to_thread(restored, now, then, only)
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused


async def keep(session: AsyncSession, viewer: Viewer, key: str, body: NewSnapshot) -> CaptionVersionsOut:
    tracks = await find_tracks(session, viewer, key, hold=True)
    chosen = tracks.choose(body.language)
    if chosen.track is None or chosen.is_live:
        raise EditFailed(NO_CAPTIONS)
    await snapshots.take(session, viewer.user_id, chosen.track, body.name, is_automatic=False)
    return await versions(session, viewer, key, body.language)


async def forget(
    session: AsyncSession, viewer: Viewer, key: str, number: int, language: str | None
) -> CaptionVersionsOut:
    """Remove a snapshot. The changes of that time stay as long as the history keeps them."""
    track = (await find_tracks(session, viewer, key, hold=True)).choose(language).track
    mine = (CaptionSnapshot.revision == number, CaptionSnapshot.track_id == (None if track is None else track.id))
    if await session.scalar(select(CaptionSnapshot.id).where(*mine)) is None:
        raise NotFound(NO_SNAPSHOT)
    await session.execute(delete(CaptionSnapshot).where(*mine).execution_options(synchronize_session=False))
    return await versions(session, viewer, key, language)


async def _title(session: AsyncSession, track: CaptionTrack, number: int) -> str:
    """What the history says about a restoration: the name of the version, or its number."""
    mine = (CaptionSnapshot.track_id == track.id, CaptionSnapshot.revision == number)
    return await session.scalar(select(CaptionSnapshot.name).where(*mine)) or str(number)


async def _changes(session: AsyncSession, track: CaptionTrack) -> Sequence[Any]:
    statement = (
        select(
            CaptionRevision.number,
            CaptionRevision.action,
            CaptionRevision.label,
            CaptionRevision.created_at,
            CaptionRevision.undone,
            CaptionRevision.follows_number,
            CaptionRevision.user_id,
            *differences.COLUMNS,
            CaptionRevision.reviewer_id,
            func.coalesce(User.name, Reviewer.name).label("by"),
        )
        .outerjoin(User, author_of(CaptionRevision))
        .outerjoin(Reviewer, Reviewer.id == CaptionRevision.reviewer_id)
        .where(CaptionRevision.track_id == track.id)
        .order_by(CaptionRevision.number.desc())
    )
    return (await session.execute(statement)).all()


async def _snapshots(session: AsyncSession, track: CaptionTrack) -> dict[int, Any]:
    """The snapshots of a track by revision, without their lines."""
    statement = (
        select(
            CaptionSnapshot.revision,
            CaptionSnapshot.name,
            CaptionSnapshot.is_automatic,
            CaptionSnapshot.created_at,
            CaptionSnapshot.user_id,
            User.name.label("by"),
        )
        .outerjoin(User, author_of(CaptionSnapshot))
        .where(CaptionSnapshot.track_id == track.id)
    )
    return {row.revision: row for row in (await session.execute(statement)).all()}


def _of_change(
    viewer: Viewer, row: Any, named: Any, is_readable: bool, what: CaptionVersionChange | None
) -> CaptionVersionOut:
    return CaptionVersionOut(
        number=row.number,
        at=row.created_at,
        by=row.by,
        is_you=_is_viewer(viewer, row.user_id),
        is_guest=row.reviewer_id is not None,
        action=row.action,
        label=row.label,
        is_undone=row.undone,
        follows_source=row.follows_number is not None,
        name=None if named is None else named.name,
        is_automatic=named is not None and named.is_automatic,
        is_readable=is_readable,
        step_of=row.step_of,
        change=what,
    )


def _of_snapshot(viewer: Viewer, row: Any, is_readable: bool) -> CaptionVersionOut:
    return CaptionVersionOut(
        number=row.revision,
        at=row.created_at,
        by=row.by,
        is_you=_is_viewer(viewer, row.user_id),
        action=None,
        label=None,
        is_undone=False,
        follows_source=False,
        name=row.name,
        is_automatic=row.is_automatic,
        is_readable=is_readable,
    )


def _first(track: CaptionTrack) -> CaptionVersionOut:
    return CaptionVersionOut(
        number=0,
        at=track.created_at,
        by=None,
        is_you=False,
        action=None,
        label=None,
        is_undone=False,
        follows_source=False,
        name=None,
        is_automatic=False,
        is_readable=True,
    )


def _is_viewer(viewer: Viewer, user_id: uuid.UUID | None) -> bool:
    return user_id is not None and is_same_person(viewer.user_id, user_id)
