"""Events that bring a page up to date on translations that are being made."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.speech.runs import newest_runs
from api.content.files.models import File
from api.content.translations.events import message
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action, PollingMessage


async def unfinished_translations(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    is_open = (
        Job.kind == JobKind.TRANSLATE,
        Job.state.in_((JobState.READY, JobState.RUNNING)),
        Job.cancel_requested.is_(False),
    )
    working = select(Job.file_id).where(*is_open)
    statement = select(File).where(may_see(viewer, File), File.id.in_(working)).order_by(File.created_at)
    files = {file.id: file for file in await session.scalars(statement)}
    messages = []
    for run in (await newest_runs(session, list(files))).values():
        if not run.is_open:
            continue
        is_running = run.job.state == JobState.RUNNING
        actions = (Action.STARTED, Action.PROGRESS) if is_running else (Action.DISPATCHED,)
        file = files[run.file_id]
        messages += [message(file, run.language, action, progress=run.job.progress) for action in actions]
    return messages
