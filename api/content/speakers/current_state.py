"""Events that bring a page up to date on detections of speakers that are not finished."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, PollingMessage, Topic


async def unfinished_detections(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    rows = await session.execute(
        select(Job, File)
        .join(File, File.id == Job.file_id)
        .where(
            may_see(viewer, File),
            Job.kind == JobKind.SPEAKERS,
            Job.state.in_((JobState.READY, JobState.RUNNING)),
            Job.cancel_requested.is_(False),
        )
        .order_by(Job.created_at)
    )
    messages = []
    for job, file in rows.tuples():
        actions = (Action.STARTED, Action.PROGRESS) if job.state == JobState.RUNNING else (Action.DISPATCHED,)
        messages += [
            event(Topic.SPEAKERS, action, slug=file.slug, name=file.name, progress=job.progress) for action in actions
        ]
    return messages
