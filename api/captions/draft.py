"""What a running transcription has heard so far, as lines to look at."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.files.models import File
from api.jobs.models import Job, JobChunk
from api.jobs.states import JobKind, JobState
from pipelines.captions.line_builder import lines_from_segments
from pipelines.captions.lines import CaptionLine
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.spacing import space_out
from pipelines.flows.results import TranscribedWindow

DRAFT_ID = "draft-"
_KEPT = 1_000

# A chunk never changes, and the page asks again after each one: only the new ones are cut into lines.
_lines_of_chunk: OrderedDict[uuid.UUID, tuple[CaptionLine, ...]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Draft:
    """The lines from number `first` on (0 is the first line of all). `token` names the windows they were cut from."""

    lines: list[CaptionLine]
    first: int
    token: str


async def draft_of(session: AsyncSession, file: File, since: str | None = None) -> Draft:
    """Lines of the finished windows, in time order; each window is cut into lines by itself.

    `since` is the token of an earlier draft: only lines that are new or changed after it are in the answer. All are,
    when a window has come in between meanwhile or the token is unknown.
    """
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
    known, first = _known(since, chunk_ids), 0
    for place, chunk_id in enumerate(chunk_ids, 1):
        lines.extend(_lines_of_chunk.get(chunk_id) or cut.get(chunk_id, ()))
        if place == known:
            # The last known line may stay on screen until the one that came after it.
            first = max(0, len(lines) - 1)
    _keep(cut)
    # Windows were cut alone, so the last line of one does not know where the next one begins.
    spaced = space_out(lines, DEFAULT_RULES)
    numbered = [replace(line, id=f"{DRAFT_ID}{number}") for number, line in enumerate(spaced, 1)]
    return Draft(numbered[first:], first, _token(chunk_ids))


def _token(chunk_ids: Sequence[uuid.UUID]) -> str:
    digest = hashlib.blake2b(b"".join(chunk_id.bytes for chunk_id in chunk_ids), digest_size=8).hexdigest()
    return f"{len(chunk_ids)}-{digest}"


def _known(since: str | None, chunk_ids: Sequence[uuid.UUID]) -> int:
    """How many windows from the first on the holder of the token has; 0 when they are not the same any more."""
    count = (since or "").partition("-")[0]
    if not count.isdecimal() or int(count) > len(chunk_ids):
        return 0
    return int(count) if since == _token(chunk_ids[: int(count)]) else 0


def _cut(payload: Mapping[str, Any]) -> tuple[CaptionLine, ...]:
    return tuple(lines_from_segments(TranscribedWindow.from_json(payload).segments, DEFAULT_RULES))


def _keep(cut: Mapping[uuid.UUID, tuple[CaptionLine, ...]]) -> None:
    _lines_of_chunk.update(cut)
    while len(_lines_of_chunk) > _KEPT:
        _lines_of_chunk.popitem(last=False)
