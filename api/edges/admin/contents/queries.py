"""Read everybody's files in pages, within 200 ms for a million of them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Row, Select, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.queries import FILE_NOT_FOUND, engine_words
from api.content.files.request_summary import jobs_of
from api.content.files.transitions import UNFINISHED
from api.content.files.waiting import Waiting, waiting_of
from api.edges.admin.contents.filters import ORDERS, Filters, filters_of
from api.edges.admin.contents.schemas import (
    BoundedMeta,
    ContentDetail,
    ContentOut,
    ContentPage,
    ContentQuery,
    OwnerOut,
    TeamRef,
)
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.http.errors import Invalid, NotFound
from api.platform.http.limits import COUNTED_MAX
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.order import queue_position
from api.platform.jobs.states import JobKind, JobState
from cluster.wording.message import Message

SORTED_MAX = 30_000
"""Lists with more files are read along the index of their order. To the last page that is a third of a million files
for a list of so many; sorting these takes a fifth of the time."""

TOO_FAR = Message(
    "admin.too_far",
    "Only the first {count:,} files can be paged through. Narrow the list with a filter or a search.",
    count=COUNTED_MAX,
)

COLUMNS = (
    File.id,
    File.slug,
    File.name,
    File.kind,
    File.status,
    File.progress,
    File.phase,
    File.language,
    File.duration_ms,
    File.size_bytes,
    File.engine,
    File.error,
    File.error_code,
    File.created_at,
    File.updated_at,
    File.deleted_at,
    File.user_id,
    File.team_id,
)
_JOBS = (Job.id, Job.file_id, Job.state, Job.attempt, Job.run_after, Job.started_at, Job.progress_at, Job.eta_at)


async def page_of_contents(session: AsyncSession, query: ContentQuery) -> ContentPage:
    """Raises Invalid for a page beyond what is counted, and for an owner or team that does not exist."""
    if query.offset >= COUNTED_MAX:
        raise Invalid.field("page", TOO_FAR)
    filters = await filters_of(session, query)
    matching = await _count(session, filters)
    is_more = matching > COUNTED_MAX
    ids = await _page(session, filters, query, matching)
    meta = BoundedMeta(total=min(matching, COUNTED_MAX), is_more=is_more, page=query.page, per_page=query.size)
    return ContentPage(data=await _contents(session, ids), meta=meta)


def all_contents(filters: Filters, query: ContentQuery) -> Select[*tuple[Any, ...]]:
    """Every matching file with its owner and team, for CSV."""
    order = ORDERS[query.sort]
    listed = (
        select(*COLUMNS, User.email.label("owner"), Team.name.label("team"))
        .join(User, User.id == File.user_id)
        .outerjoin(Team, Team.id == File.team_id)
        .order_by(*order.sorted(order.column, File.id.expression))
    )
    return filters.apply(listed)


async def find(session: AsyncSession, key: str) -> File:
    """The file with this slug or id, in the bin or not. Raises NotFound."""
    match = File.slug == key
    with suppress(ValueError):
        match = File.id == uuid.UUID(key)
    file = (await session.scalars(select(File).where(match))).one_or_none()
    if file is None:
        raise NotFound(FILE_NOT_FOUND)
    return file


async def detail(session: AsyncSession, types: JobTypes, file: File) -> ContentDetail:
    (content,) = await _contents(session, [file.id])
    exports, exported = (
        await session.execute(
            select(func.count(), func.coalesce(func.sum(Export.size_bytes), 0)).where(Export.file_id == file.id)
        )
    ).one()
    languages = select(CaptionTrack.language).where(CaptionTrack.file_id == file.id).order_by(CaptionTrack.language)
    is_in_bin = file.deleted_at is not None
    return ContentDetail(
        **content.model_dump(),
        filename=file.filename,
        width=file.width,
        height=file.height,
        stored_bytes=(file.size_bytes or 0) + int(exported or 0),
        exports=exports,
        languages=list((await session.scalars(languages)).all()),
        engine_note=file.engine_note,
        can_retry=not is_in_bin and file.status in (FileStatus.FAILED, FileStatus.ABANDONED),
        can_cancel=not is_in_bin and file.status in UNFINISHED,
        can_bin=not is_in_bin,
        can_restore=is_in_bin,
        jobs=await jobs_of(session, types, file),
    )


async def _count(session: AsyncSession, filters: Filters) -> int:
    """How many files match, at most one more than we sort or count."""
    matching = (
        filters.apply(select(literal(1).label("one")).select_from(File))
        .limit(max(SORTED_MAX, COUNTED_MAX) + 1)
        .subquery()
    )
    return await session.scalar(select(func.count()).select_from(matching)) or 0


async def _page(session: AsyncSession, filters: Filters, query: ContentQuery, matching: int) -> Sequence[uuid.UUID]:
    order = ORDERS[query.sort]
    size = min(query.size, COUNTED_MAX - query.offset)
    if matching > SORTED_MAX:
        # So many files match that walking an index in order soon finds enough of them.
        walked = filters.apply_in_order(select(File.id)).order_by(*order.walked())
        if order.has_gaps:
            walked = walked.where(order.column.is_not(None))
        ids = (await session.scalars(walked.offset(query.offset).limit(size))).all()
        if len(ids) == size or not order.has_gaps:
            return ids
    found = filters.apply(select(File.id, order.column.label("value")))
    if matching <= SORTED_MAX:
        # The limit keeps the databases from walking an order, which would read everything for a few files.
        found = found.limit(SORTED_MAX)
    few = found.subquery()
    listed = select(few.c.id).order_by(*order.sorted(few.c.value, few.c.id))
    return (await session.scalars(listed.offset(query.offset).limit(size))).all()


async def _contents(session: AsyncSession, ids: Sequence[uuid.UUID]) -> list[ContentOut]:
    """The files in the order of `ids`."""
    if not ids:
        return []
    rows = {row.id: row for row in await session.execute(select(*COLUMNS).where(in_list(session, File.id, ids)))}
    owners = await _owners(session, [row.user_id for row in rows.values()])
    teams = await _teams(session, [row.team_id for row in rows.values() if row.team_id is not None])
    waits = await _waits(session, [row.id for row in rows.values() if row.status in UNFINISHED])
    return [
        _describe(row, owners[row.user_id], teams.get(row.team_id), waits.get(row.id, Waiting()))
        for row in (rows[file_id] for file_id in ids if file_id in rows)
    ]


async def _owners(session: AsyncSession, ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, OwnerOut]:
    statement = select(User.id, User.name, User.email).where(in_list(session, User.id, list(dict.fromkeys(ids))))
    return {row.id: OwnerOut(id=row.id, name=row.name, email=row.email) for row in await session.execute(statement)}


async def _teams(session: AsyncSession, ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, TeamRef]:
    if not ids:
        return {}
    statement = select(Team.id, Team.name).where(in_list(session, Team.id, list(dict.fromkeys(ids))))
    return {row.id: TeamRef(id=row.id, name=row.name) for row in await session.execute(statement)}


async def _waits(session: AsyncSession, ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Waiting]:
    if not ids:
        return {}
    statement = select(*_JOBS, clock.now().label("now")).where(
        Job.file_id.in_(ids),
        Job.kind.in_((JobKind.UPLOAD, JobKind.TRANSCRIBE)),
        Job.state.in_((JobState.READY, JobState.RUNNING)),
        Job.cancel_requested.is_(False),
    )
    jobs = (await session.execute(statement)).all()
    waiting = [job.id for job in jobs if job.state == JobState.READY]
    positions = await queue_position.positions(session, waiting)
    return {job.file_id: waiting_of(job, positions) for job in jobs}


def _describe(row: Row[*tuple[Any, ...]], owner: OwnerOut, team: TeamRef | None, waiting: Waiting) -> ContentOut:
    return ContentOut(
        id=row.id,
        slug=row.slug,
        name=row.name,
        kind=FileKind(row.kind),
        status=row.status,
        progress=row.progress,
        phase=row.phase,
        queue_place=waiting.queue_place,
        eta_s=waiting.eta_s,
        language=row.language,
        duration_ms=row.duration_ms,
        size_bytes=row.size_bytes,
        engine=engine_words(row.engine),
        error=row.error,
        error_code=row.error_code,
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
        owner=owner,
        team=team,
    )
