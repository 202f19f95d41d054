"""Runs of translations: which job last worked on the translation of a file into a language.

The state of a translation is that of its newest job, so the two cannot disagree.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Row, SQLColumnExpression, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from pipelines.languages import BROAD, REGIONAL

_FILE_ID = cast(SQLColumnExpression[uuid.UUID], Job.file_id)
"""Translations always have a file."""

LANGUAGES = tuple(dict.fromkeys(option.value for option in (*REGIONAL, *BROAD)))
UNDER_WAY = (JobState.READY, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A translation at work, whose cancellation nobody requested."""

    id: uuid.UUID
    language: str
    source_language: str


@dataclass(frozen=True, slots=True)
class Run:
    """The newest job that translates a file into a language. `job` has the columns of `_COLUMNS`."""

    file_id: uuid.UUID
    language: str
    job: Row[*tuple[Any, ...]]

    @property
    def is_cancelled(self) -> bool:
        """Also true for a job about to be cancelled: its dispatcher stops it within a second."""
        state = self.job.state
        return state == JobState.CANCELLED or (state in UNDER_WAY and self.job.cancel_requested)

    @property
    def is_open(self) -> bool:
        return self.job.state in UNDER_WAY and not self.job.cancel_requested


_COLUMNS = (
    Job.id,
    Job.file_id,
    Job.subject_id,
    Job.state,
    Job.cancel_requested,
    Job.attempt,
    Job.progress,
    Job.progress_done,
    Job.progress_total,
    Job.progress_at,
    Job.started_at,
    Job.run_after,
    Job.eta_at,
    Job.error,
    Job.error_code,
    Job.work,
    Job.created_at,
    Job.finished_at,
)


def subject_of(file_id: uuid.UUID, language: str) -> uuid.UUID:
    """What the jobs of one translation serve. The translation has no row before its first job ends."""
    return uuid.uuid5(file_id, f"translation/{language}")


async def newest_runs(session: AsyncSession, file_ids: Sequence[uuid.UUID]) -> dict[tuple[uuid.UUID, str], Run]:
    """The newest run of each translation of these files, by file and language."""
    statement = (
        select(*_COLUMNS, clock.now().label("now"))
        .where(in_list(session, _FILE_ID, file_ids), Job.kind == JobKind.TRANSLATE)
        .order_by(Job.created_at, Job.id)
    )
    found: dict[tuple[uuid.UUID, str], Run] = {}
    names: dict[uuid.UUID, dict[uuid.UUID, str]] = {}
    for job in await session.execute(statement):
        if job.file_id not in names:
            names[job.file_id] = {subject_of(job.file_id, language): language for language in LANGUAGES}
        language = names[job.file_id].get(job.subject_id)
        if language is not None:
            found[job.file_id, language] = Run(job.file_id, language, cast(Row[*tuple[Any, ...]], job))
    return found


async def open_run(session: AsyncSession, file_id: uuid.UUID, language: str) -> OpenRun | None:
    """The translation into this language that is at work."""
    run = (await newest_runs(session, [file_id])).get((file_id, language))
    if run is None or not run.is_open:
        return None
    source = await session.scalar(select(Job.request["source_language"].as_string()).where(Job.id == run.job.id))
    return OpenRun(run.job.id, language, source or "")
