"""Live recordings that run, for administrators: whose they are, how far behind their captions are, and their end."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.live.models import LiveSession, LiveState
from api.content.live.queries import last_words
from api.content.live.service import close_journal, end_recording
from api.edges.admin.live.schemas import LiveReplica, RunningLive
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.capabilities.replica_queries import replicas_by_task
from api.platform.db import clock
from api.platform.http.errors import NotFound
from api.platform.http.paging import PageQuery
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from cluster.wording.message import Message
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.live import LiveWords
from serve.core.replica_messages import ReplicaReport
from serve.tasks.engine_labels import engine_label
from serve.tasks.live.messages import LIVE

GONE = Message("admin.live_gone", "This live recording has ended.")
ENDED_BY_ADMIN = Message(
    "admin.live_ended", "An administrator ended this recording. What was recorded is kept, with its captions."
)
REPORT_MS = 2_000
"""So often a recording's job says how far it has read."""


async def running(session: AsyncSession, query: PageQuery) -> tuple[list[RunningLive], int]:
    """A page of those that run, the newest first, and how many there are."""
    is_open = LiveSession.state == LiveState.OPEN
    statement = (
        select(File, LiveSession, Job, User.email, Team.name)
        .join(LiveSession, LiveSession.file_id == File.id)
        .join(User, User.id == File.user_id)
        .outerjoin(Team, Team.id == File.team_id)
        .outerjoin(Job, (Job.subject_id == File.id) & (Job.kind == JobKind.LIVE))
        .where(is_open)
        .order_by(LiveSession.began_at.desc(), File.id)
        .offset(query.offset)
        .limit(query.size)
    )
    rows = (await session.execute(statement)).tuples().all()
    total = await session.scalar(select(func.count()).select_from(LiveSession).where(is_open)) or 0
    now = (await session.scalars(select(clock.now()))).one()
    words = await last_words(session, [job.id for _, _, job, _, _ in rows if job is not None])
    replicas = (await replicas_by_task(session)).of(LIVE).running
    found = [
        RunningLive(
            id=file.id,
            name=file.name,
            language=file.language,
            owner=owner,
            team=team,
            began_at=live.began_at,
            recorded_ms=live.pieces * PIECE_MS,
            reserved_ms=live.reserved_s * 1000,
            quiet_ms=_ms_between(live.sound_at, now),
            behind_ms=None if job is None else _behind_ms(live, job, now),
            readers_link=live.watch_token is not None,
            replica=None if job is None else _replica(words.get(job.id), replicas),
        )
        for file, live, job, owner, team in rows
    ]
    return found, total


async def end(state: AppState, admin: Viewer, file_id: uuid.UUID) -> None:
    """End a recording; what was recorded is kept. Raises NotFound where it runs no more."""
    async with state.database.write() as session:
        file = await session.get(File, file_id, with_for_update=True)
        live = await session.get(LiveSession, file_id, with_for_update=True)
        if file is None or live is None or live.state != LiveState.OPEN:
            raise NotFound(GONE)
        await end_recording(session, file, live, ENDED_BY_ADMIN)
        record_for(
            session,
            admin,
            AuditAction.LIVE_ENDED,
            subject_id=file.user_id,
            object_kind="file",
            object_id=str(file.id),
            name=file.name,
        )
    await close_journal(state.storage, state.settings.work_root, live)


def _behind_ms(live: LiveSession, job: Job, now: datetime) -> int | None:
    """Sound that came before the job's last report, and that it had not read then."""
    if job.progress_at is None:
        return None
    since_ms = min(REPORT_MS, _ms_between(job.progress_at, now))
    return max(0, live.pieces * PIECE_MS - job.progress_done - since_ms)


def _replica(words: LiveWords | None, running: Sequence[ReplicaReport]) -> LiveReplica | None:
    """Where the last final words were read; None before there are any, and where no live engine reads them."""
    if words is None or not words.replica:
        return None
    for report in running:
        if report.id == words.replica:
            return LiveReplica(id=report.id, node=report.node, engine=engine_label(report.engine, report.model))
    return LiveReplica(id=words.replica, node="", engine="")


def _ms_between(earlier: datetime, later: datetime) -> int:
    return max(0, round((later - earlier).total_seconds() * 1000))
