"""The lines that a running transcription or first translation has finished so far, for display only."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.speech.target_lines import line_of_target
from api.content.files.models import File
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind, JobState
from pipelines.captions.line_builder import lines_from_segments
from pipelines.captions.spacing import space_out
from pipelines.messages.caption_rules import CaptionRules, rules_for
from pipelines.messages.lines import CaptionLine
from pipelines.messages.results import TranscribedWindow
from pipelines.messages.translate import TranslatedGroup

DRAFT_ID = "draft-"
_CACHED_CHUNKS_MAX = 1_000

# A chunk never changes, and the page fetches the draft after each one. Cut only new chunks into lines. By chunk and the
# language by whose rules it is cut, which may be detected meanwhile; none for translations, which come in lines.
_lines_of_chunk: OrderedDict[tuple[uuid.UUID, str], tuple[CaptionLine, ...]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Draft:
    """The lines from index `first` on. `token` names the chunks they were made from."""

    lines: list[CaptionLine]
    first: int
    token: str


async def draft_of(session: AsyncSession, file: File, since: str | None = None) -> Draft:
    """Lines of the finished windows, in time order. Each window is cut into lines on its own.

    `since` is the token of an earlier draft. The answer then holds only the lines that are new or changed after it. It
    holds all lines when a window has finished out of order meanwhile, or when the token is unknown.
    """
    which = (
        Job.subject_id == file.id,
        Job.kind == JobKind.TRANSCRIBE,
        Job.state.in_((JobState.READY, JobState.RUNNING)),
        Job.cancel_requested.is_(False),
    )
    # Windows are cut on their own, so the last line of one may reach into the next.
    language, rules = file.language, rules_for(file.language)
    return await _draft(
        *(session, which, since, language),
        lambda payload: _cut(payload, rules, language),
        lambda lines: space_out(lines, rules),
    )


async def draft_of_translation(session: AsyncSession, job_id: uuid.UUID, since: str | None = None) -> Draft:
    """Lines of the sentence groups that a job has translated, in time order. `since` as for `draft_of`."""
    return await _draft(session, (Job.id == job_id,), since, "", _translated, list)


async def _draft(
    session: AsyncSession,
    which: Sequence[ColumnElement[bool]],
    since: str | None,
    language: str,
    cut: Callable[[Mapping[str, Any]], tuple[CaptionLine, ...]],
    arranged: Callable[[list[CaptionLine]], list[CaptionLine]],
) -> Draft:
    statement = (
        select(JobChunk.id, JobChunk.key).join(Job, Job.id == JobChunk.job_id).where(*which).order_by(JobChunk.key)
    )
    chunk_ids = [chunk_id for chunk_id, _ in await session.execute(statement)]
    missing = [chunk_id for chunk_id in chunk_ids if (chunk_id, language) not in _lines_of_chunk]
    fresh: dict[uuid.UUID, tuple[CaptionLine, ...]] = {}
    if missing:
        payloads = select(JobChunk.id, JobChunk.payload).where(JobChunk.id.in_(missing))
        payload_of = {chunk_id: payload for chunk_id, payload in await session.execute(payloads)}
        fresh = await asyncio.to_thread(lambda: {chunk_id: cut(payload) for chunk_id, payload in payload_of.items()})
    lines: list[CaptionLine] = []
    known, first = _chunks_of_token(since, chunk_ids), 0
    for count, chunk_id in enumerate(chunk_ids, 1):
        lines.extend(_lines_of_chunk.get((chunk_id, language)) or fresh.get(chunk_id, ()))
        if count == known:
            # The last line the page has may now end later, because a line follows it.
            first = max(0, len(lines) - 1)
    _remember({(chunk_id, language): lines_of for chunk_id, lines_of in fresh.items()})
    numbered = [replace(line, id=f"{DRAFT_ID}{number}") for number, line in enumerate(arranged(lines), 1)]
    return Draft(numbered[first:], first, _token(chunk_ids))


def _token(chunk_ids: Sequence[uuid.UUID]) -> str:
    digest = hashlib.blake2b(b"".join(chunk_id.bytes for chunk_id in chunk_ids), digest_size=8).hexdigest()
    return f"{len(chunk_ids)}-{digest}"


def _chunks_of_token(since: str | None, chunk_ids: Sequence[uuid.UUID]) -> int:
    """How many leading chunks the token covers, or 0 when they have changed since."""
    count = (since or "").partition("-")[0]
    if not count.isdecimal() or int(count) > len(chunk_ids):
        return 0
    return int(count) if since == _token(chunk_ids[: int(count)]) else 0


def _cut(payload: Mapping[str, Any], rules: CaptionRules, language: str) -> tuple[CaptionLine, ...]:
    return tuple(lines_from_segments(TranscribedWindow.from_json(payload).segments, rules, language))


def _translated(payload: Mapping[str, Any]) -> tuple[CaptionLine, ...]:
    return tuple(line_of_target(line) for line in TranslatedGroup.from_json(payload).lines)


def _remember(cut: Mapping[tuple[uuid.UUID, str], tuple[CaptionLine, ...]]) -> None:
    _lines_of_chunk.update(cut)
    while len(_lines_of_chunk) > _CACHED_CHUNKS_MAX:
        _lines_of_chunk.popitem(last=False)
