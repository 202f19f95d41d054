from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.errors import OTHER_LANGUAGE
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.tracks import tracks_of
from api.content.files import queries as files
from api.content.files.models import File, FileStatus
from api.content.live.errors import LINK_CLOSED, NO_SESSION
from api.content.live.models import LiveSession, LiveState
from api.content.live.schemas import LiveOut, LiveWordOut, WatchLineOut, WatchLinesOut
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.http.errors import NotFound
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.live import PASSAGE, WORDS, LiveWords, passage_key, words_key
from pipelines.messages.results import TranscribedWindow
from serve.tasks.transcription.messages import Word

GROUPS_AT_ONCE = 500
_GROUPS_OF_A_SEGMENT = 32
"""About as many as people say in six seconds, two or three times over."""


async def find(session: AsyncSession, viewer: Viewer, key: str, *, hold: bool = False) -> tuple[File, LiveSession]:
    """A live recording by the slug or id of its file. Raises `NotFound` as `files.find` does.

    With `hold` file and recording stay locked until the transaction ends.
    """
    file = await files.find(session, viewer, key, hold=hold)
    live = await session.get(LiveSession, file.id, with_for_update=hold or None)
    if live is None:
        raise NotFound(NO_SESSION)
    return file, live


async def open_ones(session: AsyncSession, viewer: Viewer) -> Sequence[tuple[File, LiveSession]]:
    """Those that the viewer may see and that sound may come for, the newest first."""
    statement = (
        select(File, LiveSession)
        .join(LiveSession, LiveSession.file_id == File.id)
        .where(may_see(viewer, File), LiveSession.state == LiveState.OPEN)
        .order_by(LiveSession.began_at.desc())
    )
    return [(file, live) for file, live in (await session.execute(statement)).tuples()]


async def watched(session: AsyncSession, token: str) -> tuple[File, LiveSession]:
    """The recording of a link that is open. Raises `NotFound`, also for a file in the bin."""
    statement = (
        select(File, LiveSession)
        .join(LiveSession, LiveSession.file_id == File.id)
        .where(LiveSession.watch_token == token, File.deleted_at.is_(None))
    )
    found = (await session.execute(statement)).tuples().one_or_none()
    if found is None:
        raise NotFound(LINK_CLOSED)
    return found


async def watched_track(session: AsyncSession, file: File, live: LiveSession, language: str) -> CaptionTrack | None:
    """The lines that readers by link may have: as spoken, or of a translation that is made live.

    None before there are any. Raises `NotFound` for other languages.
    """
    tracks = await tracks_of(session, file)
    if language == file.language:
        return tracks.transcription
    if language not in live.translate_to:
        raise NotFound(OTHER_LANGUAGE)
    return next((track for track in tracks.tracks if track.language == language), None)


async def live_translations(session: AsyncSession, file: File, live: LiveSession) -> dict[str, CaptionTrack]:
    """The tracks of its live translations, by language."""
    tracks = (await tracks_of(session, file)).tracks if live.translate_to else ()
    return {track.language: track for track in tracks if track.language in live.translate_to}


async def lines_since(session: AsyncSession, track: CaptionTrack, after: int) -> WatchLinesOut:
    """The lines that were written after a revision of their track, in order."""
    row = CaptionLineRow
    statement = (
        select(row.id, row.start_ms, row.end_ms, row.text)
        .where(row.track_id == track.id, row.revision > after if after > 0 else row.revision >= 0)
        .order_by(row.start_ms)
    )
    lines = [
        WatchLineOut(id=line_id, start_ms=start_ms, end_ms=end_ms, text=text)
        for line_id, start_ms, end_ms, text in (await session.execute(statement)).tuples()
    ]
    count = await session.scalar(select(func.count()).where(row.track_id == track.id)) or 0
    return WatchLinesOut(lines=lines, next=track.revision, count=count)


async def count_open(session: AsyncSession, *of: ColumnElement[bool]) -> int:
    """How many run, of everybody or of some files."""
    statement = select(func.count()).select_from(LiveSession).join(File, File.id == LiveSession.file_id)
    return await session.scalar(statement.where(LiveSession.state == LiveState.OPEN, *of)) or 0


async def final_words(session: AsyncSession, file: File, after: int) -> tuple[list[LiveWordOut], int]:
    """Final words from a group on, and the number of the group after them."""
    groups = await final_groups(session, file, after)
    words = [LiveWordOut.model_validate(word) for group in groups for word in group["words"]]
    return words, after + len(groups)


def _groups(file: File, after: int) -> tuple[ColumnElement[bool], ...]:
    """Which chunks hold final words of a file, from a group on."""
    return _chunks(file, words_key(after), WORDS)


def _chunks(file: File, first: str, kind: str) -> tuple[ColumnElement[bool], ...]:
    return (
        Job.subject_id == file.id,
        Job.kind == JobKind.LIVE,
        JobChunk.key >= first,
        JobChunk.key < f"{kind}.",
    )


async def count_groups(session: AsyncSession, file: File) -> int:
    """How many groups of final words there are."""
    statement = select(func.count()).select_from(JobChunk).join(Job, Job.id == JobChunk.job_id)
    return await session.scalar(statement.where(*_groups(file, 0))) or 0


async def final_groups(session: AsyncSession, file: File, after: int) -> list[dict[str, Any]]:
    """The groups of final words from one on, as JSON: `words` of each with `start_ms`, `end_ms` and `text`."""
    found = await groups_from(session, file, after)
    return [
        {"words": [{"start_ms": word.start_ms, "end_ms": word.end_ms, "text": word.text} for word in group.words]}
        for group in found
    ]


async def words_between(session: AsyncSession, file: File, begins_ms: int, ends_ms: int) -> list[Word]:
    """Final words that end after the one time and not after the other, in order."""
    # Groups are in the order of their times, so the first one is found by halves.
    low, high = 0, await count_groups(session, file)
    while low < high:
        middle = (low + high) // 2
        (group,) = await _some_groups(session, file, middle, 1)
        low, high = (middle + 1, high) if group.words[-1].end_ms <= begins_ms else (low, middle)
    found: list[Word] = []
    while groups := await _some_groups(session, file, low, _GROUPS_OF_A_SEGMENT):
        words = [word for group in groups for word in group.words]
        found += [word for word in words if begins_ms < word.end_ms <= ends_ms]
        if words[-1].end_ms > ends_ms:
            break
        low += len(groups)
    return found


async def groups_from(session: AsyncSession, file: File, after: int) -> list[LiveWords]:
    """The groups of final words from one on."""
    return await _some_groups(session, file, after, GROUPS_AT_ONCE)


async def passages_from(session: AsyncSession, file: File, after: int) -> list[TranscribedWindow]:
    """The utterances that have been read for the last time, and silences, from one on."""
    statement = select(JobChunk.payload).join(Job, Job.id == JobChunk.job_id)
    some = statement.where(*_chunks(file, passage_key(after), PASSAGE)).order_by(JobChunk.key).limit(GROUPS_AT_ONCE)
    return [TranscribedWindow.from_json(payload) for payload in await session.scalars(some)]


async def read_until_ms(session: AsyncSession, file: File) -> int:
    """Until where the recording has been read for the last time."""
    statement = select(JobChunk.payload).join(Job, Job.id == JobChunk.job_id)
    last = statement.where(*_chunks(file, passage_key(0), PASSAGE)).order_by(JobChunk.key.desc()).limit(1)
    payload = await session.scalar(last)
    return 0 if payload is None else TranscribedWindow.from_json(payload).end_ms


async def final_until_ms(session: AsyncSession, file: File) -> int:
    """Until where no word will come any more.

    Words come in order, so there is none before the last one; nor where an utterance or a silence has been read.
    """
    last = await _some_groups(session, file, max(0, await count_groups(session, file) - 1), 1)
    # Another word may end with the last one.
    return max(last[0].words[-1].end_ms - 1 if last else 0, await read_until_ms(session, file))


async def _some_groups(session: AsyncSession, file: File, after: int, most: int) -> list[LiveWords]:
    statement = select(JobChunk.payload).join(Job, Job.id == JobChunk.job_id).where(*_groups(file, after))
    payloads = await session.scalars(statement.order_by(JobChunk.key).limit(most))
    return [LiveWords.from_json(payload) for payload in payloads]


async def last_words(session: AsyncSession, jobs: Sequence[uuid.UUID]) -> dict[uuid.UUID, LiveWords]:
    """The last group of final words of each of these jobs that has one."""
    newest = (
        select(JobChunk.job_id, func.max(JobChunk.key).label("key"))
        .where(JobChunk.job_id.in_(jobs), JobChunk.key >= words_key(0), JobChunk.key < f"{WORDS}.")
        .group_by(JobChunk.job_id)
        .subquery()
    )
    statement = select(JobChunk.job_id, JobChunk.payload).join(
        newest, (JobChunk.job_id == newest.c.job_id) & (JobChunk.key == newest.c.key)
    )
    return {job: LiveWords.from_json(payload) for job, payload in (await session.execute(statement)).tuples()}


def described(file: File, live: LiveSession) -> LiveOut:
    return LiveOut(
        slug=file.slug,
        name=file.name,
        language=file.language,
        state=live.state,
        is_over=file.status != FileStatus.LIVE,
        is_kept=file.status == FileStatus.COMPLETED,
        next_piece=live.pieces,
        piece_ms=PIECE_MS,
        recorded_ms=live.pieces * PIECE_MS,
        ends_at_ms=live.ends_at_ms,
        ends_why=live.ends_why,
        began_at=live.began_at,
        translate_to=live.translate_to,
        watch_path=None if live.watch_token is None else f"/watch/{live.watch_token}",
        error=file.error,
    )
