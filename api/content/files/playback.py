"""The copy of a file that browsers play: its state, and making it again.

Its state is that of the newest `encoding` job, so the two cannot disagree.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileStatus
from api.content.files.schemas import PlaybackOut, PlaybackStatus
from api.content.files.transitions import UNFINISHED
from api.platform.db.expressions import in_list
from api.platform.http.errors import Conflict
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from cluster.sentences import paragraph
from cluster.wording.message import Message

PREPARING = Message("files.preparing", "The video is still being prepared for playback. It will be ready in a moment.")
FAILED = Message("files.failed", "We could not prepare this file for playback.")
CANCELLED = Message("files.cancelled", "You cancelled preparing this video for playback. Try again to prepare it.")
NOT_PREPARED = Message("files.not_prepared", "This file was never prepared, so it cannot be played. Start it again.")
BEING_RECORDED = Message("files.being_recorded", "This is still being recorded. It can be played once that has ended.")
_NOT_MADE = Message("files.not_made", "{problem} Try again.", problem=FAILED)

_UNDER_WAY = (JobState.READY, JobState.RUNNING)


class PlaybackPreparing(Conflict):
    code = "playback_preparing"
    message = PREPARING


class PlaybackFailed(Conflict):
    """Also used for a cancelled copy: there is none until somebody tries again."""

    code = "playback_failed"


class PlaybackNotNeeded(Conflict):
    code = "playback_ready"
    message = Message(
        "files.playback_not_needed", "This file is ready to play already, so there is nothing to prepare."
    )


def is_ready(file: File | Row[*tuple[Any, ...]]) -> bool:
    """Whether the file has bytes that browsers play."""
    return file.playback_key is not None or bool(file.plays_in_browser)


async def newest_encodings(
    session: AsyncSession, file_ids: Sequence[uuid.UUID]
) -> Mapping[uuid.UUID, Row[*tuple[Any, ...]]]:
    """Map each file to the columns of its newest `encoding` job that `playback_of` reads."""
    if not file_ids:
        return {}
    columns: tuple[Any, ...] = (Job.subject_id, Job.state, Job.progress, Job.cancel_requested, Job.error)
    statement = (
        select(*columns)
        .where(in_list(session, Job.subject_id, file_ids), Job.kind == JobKind.ENCODING)
        .order_by(Job.created_at)
    )
    return {row.subject_id: row for row in await session.execute(statement)}


async def encoding_of(session: AsyncSession, file: File) -> Row[*tuple[Any, ...]] | None:
    return (await newest_encodings(session, [file.id])).get(file.id)


def playback_of(file: File | Row[*tuple[Any, ...]], encoding: Job | Row[*tuple[Any, ...]] | None) -> PlaybackOut:
    """The playback state for the page. `encoding` is the newest job, None when there was none."""
    if is_ready(file):
        return PlaybackOut(status=PlaybackStatus.READY, progress=100, error=None)
    if encoding is None and file.status in UNFINISHED:
        return PlaybackOut(status=PlaybackStatus.PREPARING, progress=0, error=None)
    if file.status == FileStatus.LIVE:
        return PlaybackOut(status=PlaybackStatus.NONE, progress=0, error=BEING_RECORDED)
    if encoding is None and file.duration_ms is None:
        return PlaybackOut(status=PlaybackStatus.NONE, progress=0, error=NOT_PREPARED)
    if is_cancelled(encoding):
        return PlaybackOut(status=PlaybackStatus.CANCELLED, progress=0, error=CANCELLED)
    if encoding is not None and encoding.state in _UNDER_WAY:
        return PlaybackOut(status=PlaybackStatus.PREPARING, progress=encoding.progress, error=None)
    reason = encoding.error if encoding is not None else None
    error = paragraph(FAILED, reason) if reason else _NOT_MADE
    return PlaybackOut(status=PlaybackStatus.FAILED, progress=0, error=error)


def is_cancelled(encoding: Job | Row[*tuple[Any, ...]] | None) -> bool:
    """Also true for a job about to be cancelled: its dispatcher stops it within a second."""
    if encoding is None:
        return False
    return encoding.state == JobState.CANCELLED or (encoding.state in _UNDER_WAY and encoding.cancel_requested)


def require_playable(file: File, encoding: Row[*tuple[Any, ...]] | None) -> None:
    """Raise `PlaybackPreparing` or `PlaybackFailed` unless the file can be played."""
    playback = playback_of(file, encoding)
    if playback.status == PlaybackStatus.PREPARING:
        raise PlaybackPreparing
    if playback.status != PlaybackStatus.READY:
        raise PlaybackFailed(playback.error)
