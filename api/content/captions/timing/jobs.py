"""What measuring words does: it gives words that somebody wrote the times at which they are spoken."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import IMPORT, MEASURE
from api.content.captions.editing.announcing import announce_lines
from api.content.captions.editing.writing import write
from api.content.captions.models import CaptionRevision, CaptionTrack
from api.content.captions.reading import lines_by_id
from api.content.captions.stored.rows import line_of_stored
from api.content.captions.timing.service import queue_measuring
from api.content.files.models import File
from api.people.auth.viewer import Author
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from cluster.resources import WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.unmeasured import unmeasured_runs
from pipelines.messages.attempt import StageFailed
from pipelines.messages.lines import CaptionLine
from pipelines.messages.measure import MEASURE as MEASURE_FLOW
from pipelines.messages.measure import MeasuredLine, MeasureRequest, MeasureResult

LINES_AT_ONCE = 300
"""Lines of one job. A job for the rest follows it."""

NOBODY = Author(None)


class MeasureHandler(Handler[MeasureResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        """Put the lines into the request as they are now: they may have changed since the job was queued."""
        request = MeasureRequest.from_json(job.request)
        track_id = uuid.UUID(request.track_id)
        rows = await queries.stored_lines(session, track_id, since=request.since)
        imports = await session.scalars(
            select(CaptionRevision.number).where(
                CaptionRevision.track_id == track_id,
                CaptionRevision.action == IMPORT,
                CaptionRevision.number > request.since,
            )
        )
        lines = await asyncio.to_thread(_lines, rows, frozenset(imports), request.from_ms)
        update = {"lines": lines[:LINES_AT_ONCE], "is_more": len(lines) > LINES_AT_ONCE}
        job.request = request.model_copy(update=update).to_json()

    async def on_done(self, session: AsyncSession, job: Job, result: MeasureResult) -> None:
        request = MeasureRequest.from_json(job.request)
        file = await session.get(File, job.subject_id, with_for_update=True)
        track = await session.get(CaptionTrack, uuid.UUID(request.track_id))
        if file is None or track is None:
            return
        change = await _change(session, track, request, result)
        if change.after:
            await write(session, NOBODY, track, MEASURE, change, is_kept=False)
            await announce_lines(session, file, track.language, track.revision)
        if request.is_more:
            rest = {"from_ms": request.lines[-1].start_ms + 1, "lines": (), "is_more": False}
            await queue_measuring(session, file, request.model_copy(update=rest))

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        """The row stays for the figures, without what was said. Another attempt reads the lines anew."""
        job.request = MeasureRequest.from_json(job.request).model_copy(update={"lines": ()}).to_json()


def _lines(rows: Sequence[Row[*tuple[Any, ...]]], imports: frozenset[int], from_ms: int) -> tuple[MeasuredLine, ...]:
    """The lines with words to measure. A file of subtitles has its own times, so its untouched lines are left out."""
    found = []
    for row in rows:
        if row.locked or row.start_ms < from_ms:
            continue
        line = line_of_stored(row)
        if row.revision in imports and not any(word.is_measured for word in line.words):
            continue
        if any(unmeasured_runs(line.words, line.start_ms, line.end_ms)):
            found.append(MeasuredLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, words=line.words))
    return tuple(found)


async def _change(
    session: AsyncSession, track: CaptionTrack, request: MeasureRequest, result: MeasureResult
) -> EditResult:
    """The measured words of the lines that are as they were when the job began. A later job measures the others."""
    sent = {line.id: line for line in request.lines}
    now = await lines_by_id(session, track, [uuid.UUID(line.id) for line in result.lines])
    before: list[CaptionLine] = []
    after: list[CaptionLine] = []
    for measured in result.lines:
        line = now.get(measured.id)
        if line is not None and line.words == sent[measured.id].words and not line.locked:
            before.append(line)
            after.append(replace(line, words=measured.words))
    return EditResult(tuple(before), tuple(after))


MEASURE_JOB = JobType(
    kind=JobKind.MEASURE,
    title=Message("timing.title", "Measuring the times of changed words"),
    request=MeasureRequest,
    result=MeasureResult,
    flow=MEASURE_FLOW,
    cpus=WAITING_TASK_CPUS,
    handler=MeasureHandler(),
)
JOB_TYPES: tuple[AnyJobType, ...] = (MEASURE_JOB,)
