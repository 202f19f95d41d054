"""What a running transcription has heard so far, as lines to look at."""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.files.models import File
from api.jobs.models import Job, JobChunk
from api.jobs.states import JobKind, JobState
from pipelines.captions.heard import segment_from_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.segment import lines_from_segments
from pipelines.captions.timing import space_out

DRAFT_ID = "draft-"
_KEPT = 1_000

# A chunk never changes, and the page asks again after each one: only the new ones are cut into lines.
_lines_of_chunk: OrderedDict[uuid.UUID, tuple[CaptionLine, ...]] = OrderedDict()


async def draft_lines(session: AsyncSession, file: File) -> list[CaptionLine]:
    """Lines of the finished windows, in time order; each window is cut into lines by itself."""
    statement = (
        select(JobChunk.id, JobChunk.key)
        .join(Job, Job.id == JobChunk.job_id)
        .where(
            Job.subject_id == file.id,
            Job.kind == JobKind.TRANSCRIBE,
            Job.state.in_((JobState.READY, JobState.RUNNING)),
            Job.cancel_requested.is_(False),
        )
        .order_by(JobChunk.key)
    )
    chunk_ids = [chunk_id for chunk_id, _ in await session.execute(statement)]
    missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in _lines_of_chunk]
    cut: dict[uuid.UUID, tuple[CaptionLine, ...]] = {}
    if missing:
        payloads = select(JobChunk.id, JobChunk.payload).where(JobChunk.id.in_(missing))
        found = {chunk_id: payload for chunk_id, payload in await session.execute(payloads)}
        cut = await asyncio.to_thread(lambda: {chunk_id: _cut(payload) for chunk_id, payload in found.items()})
    lines: list[CaptionLine] = []
    for chunk_id in chunk_ids:
        lines.extend(_lines_of_chunk.get(chunk_id) or cut.get(chunk_id, ()))
    _keep(cut)
    # Windows were cut alone, so the last line of one does not know where the next one begins.
    spaced = space_out(lines, DEFAULT_RULES)
    return [replace(line, id=f"{DRAFT_ID}{number}") for number, line in enumerate(spaced, 1)]


def _cut(payload: Mapping[str, Any]) -> tuple[CaptionLine, ...]:
    return tuple(lines_from_segments([segment_from_json(value) for value in payload["segments"]], DEFAULT_RULES))


def _keep(cut: Mapping[uuid.UUID, tuple[CaptionLine, ...]]) -> None:
    _lines_of_chunk.update(cut)
    while len(_lines_of_chunk) > _KEPT:
        _lines_of_chunk.popitem(last=False)
