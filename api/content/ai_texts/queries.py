from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.content import CitedLine
from api.content.ai_texts.models import AiText
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.speakers import names_of, speakers_by_source
from api.content.files import queries as files
from api.content.files.models import File
from api.people.auth.viewer import Viewer
from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.db.reread import reread
from api.platform.http.errors import NotFound
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobState
from cluster.wording.message import Message
from pipelines.messages.minutes import TextBlock, TextLine, WrittenBlock

TEXT_NOT_FOUND = Message(
    "ai_texts.text_not_found", "This text was deleted. Write a new one from the captions of its file."
)

_JOB = (Job.id, Job.state, Job.attempt, Job.run_after, Job.started_at, Job.progress_at, Job.eta_at)
"""The columns that `waiting_of` reads."""


async def of_file(session: AsyncSession, file: File) -> Sequence[AiText]:
    statement = select(AiText).where(AiText.file_id == file.id).order_by(AiText.created_at, AiText.id)
    return (await session.scalars(statement)).all()


async def find(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID, *, hold: bool = False) -> tuple[File, AiText]:
    """A text and its file. Raises `NotFound` also when the file is somebody else's.

    With `hold`, both rows are locked until the transaction ends; a caller that locks the job does so first.
    """
    text = await session.get(AiText, text_id)
    if text is None:
        raise NotFound(TEXT_NOT_FOUND)
    try:
        file = await files.find(session, viewer, str(text.file_id), hold=hold)
    except NotFound:
        raise NotFound(TEXT_NOT_FOUND) from None
    if hold and await reread(session, text) is None:
        raise NotFound(TEXT_NOT_FOUND)
    return file, text


_CITED = (
    CaptionLineRow.id,
    CaptionLineRow.start_ms,
    CaptionLineRow.end_ms,
    CaptionLineRow.text,
    CaptionLineRow.speaker,
)


async def lines_of(session: AsyncSession, track: CaptionTrack) -> list[TextLine]:
    """The lines of a track in time order, without their words, with the names of who speaks."""
    rows = await session.execute(
        select(*_CITED).where(CaptionLineRow.track_id == track.id).order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
    )
    names = await names_of(session, track.file_id)
    by_source = await speakers_by_source(session, track) if is_linked(track) else {}
    lines = []
    for row in rows:
        label = by_source.get(str(row.id), row.speaker)
        speaker = None if label is None else names.get(label)
        lines.append(TextLine(id=str(row.id), start_ms=row.start_ms, end_ms=row.end_ms, text=row.text, speaker=speaker))
    return lines


async def lines_now(session: AsyncSession, file_id: uuid.UUID, line_ids: Iterable[str]) -> Mapping[str, CitedLine]:
    """Those of the lines that the captions of the file still have, as they are now."""
    ids = [uuid.UUID(line_id) for line_id in line_ids]
    if not ids:
        return {}
    rows = await session.execute(
        select(*_CITED)
        .join(CaptionTrack, CaptionTrack.id == CaptionLineRow.track_id)
        .where(CaptionTrack.file_id == file_id, in_list(session, CaptionLineRow.id, ids))
    )
    names = await names_of(session, file_id)
    return {
        str(row.id): CitedLine(
            id=str(row.id),
            start_ms=row.start_ms,
            end_ms=row.end_ms,
            text=row.text,
            speaker=None if row.speaker is None else names.get(row.speaker),
        )
        for row in rows
    }


async def jobs_of(session: AsyncSession, texts: Collection[AiText]) -> dict[uuid.UUID, Row[*tuple[Any, ...]]]:
    """The unfinished job of each text that has one, with the database's time as `now`."""
    ids = [text.job_id for text in texts if text.job_id is not None]
    if not ids:
        return {}
    statement = select(*_JOB, clock.now().label("now")).where(
        in_list(session, Job.id, ids),
        Job.state.in_((JobState.READY, JobState.RUNNING)),
        Job.cancel_requested.is_(False),
    )
    return {row.id: row for row in await session.execute(statement)}


async def draft_blocks(session: AsyncSession, job_id: uuid.UUID) -> list[TextBlock]:
    """The blocks that a job has written so far, in order."""
    payloads = await session.scalars(select(JobChunk.payload).where(JobChunk.job_id == job_id))
    # A job also keeps the notes that it takes before it writes.
    written = [block for payload in payloads if (block := WrittenBlock.read(payload)) is not None]
    return [each.block for each in sorted(written, key=lambda each: each.index)]
