"""Begin a live recording, take it over, and end it."""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.language import require_known
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.webhooks import facts_of
from api.content.glossary.spoken import spoken_terms
from api.content.live import queries
from api.content.live.errors import (
    NAME_A_LANGUAGE,
    TOO_LONG,
    TOO_MANY,
    TOO_MANY_OF_OWN,
    TOO_MANY_OF_TEAM,
    LiveEnded,
    OtherSource,
    TooManyLive,
)
from api.content.live.languages import require_followed
from api.content.live.minutes import reserve_first
from api.content.live.models import LIVE_STATE, LiveSession, LiveState
from api.content.live.schemas import NewLive
from api.content.translations import continuing
from api.content.translations.languages import require_pair
from api.people.access.audience import notice_of
from api.people.access.rules import added_by, of_team, require_addition
from api.people.auth.viewer import Viewer
from api.people.plans.payer import priority_of
from api.people.webhooks.emission import emit
from api.platform.http.errors import Invalid
from api.platform.http.state import AppState
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.settings import ApiSettings
from api.platform.webhooks.events import FileCreated, LiveFinished, LiveStarted
from cluster.storage.objects import Storage
from cluster.wording.message import Message
from pipelines.languages import AUTO, listed_code
from pipelines.media.sound.journal import PIECE_MS, journal_of, piece_key, write_end
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.live import LiveRequest
from pipelines.messages.requests import VoiceDetection
from pipelines.messages.spoken_terms import TERMS_MAX, SpokenTerm

TOKEN_BYTES = 24
UNNAMED = Message("live.unnamed", "Live recording")


@dataclass(frozen=True, slots=True)
class Hints:
    """What a program says of its sound beforehand: terms beside those of the glossary, and how utterances end."""

    terms: tuple[SpokenTerm, ...] = ()
    detection: VoiceDetection | None = None


NO_HINTS = Hints()


async def begin(
    session: AsyncSession,
    settings: ApiSettings,
    viewer: Viewer,
    body: NewLive,
    hints: Hints = NO_HINTS,
    file_id: uuid.UUID | None = None,
) -> tuple[File, LiveSession]:
    """A new file with its recording, and the job that follows it. `file_id`: what somebody was told already.

    Raises `Invalid` for a language that nothing here follows, `TooManyLive` and `QuotaExceeded`.
    """
    require_addition(viewer)
    require_known(body.language)
    if body.language == AUTO:
        raise Invalid.field("language", NAME_A_LANGUAGE)
    await require_followed(session, body.language)
    translations = await _translations(session, viewer, body.language, body.translate_to)
    await _require_room(session, settings, viewer)
    file_id = file_id or uuid.uuid4()
    name = body.name or str(UNNAMED)
    file = File(
        id=file_id,
        user_id=viewer.user_id,
        team_id=viewer.team_id,
        name=name,
        filename=f"{name}.wav",
        kind=FileKind.AUDIO,
        status=FileStatus.LIVE,
        language=body.language,
        detects_speakers=body.detects_speakers,
        # Where nothing is until the recording is kept.
        original_key=f"{journal_of(file_id)}/recording.wav",
    )
    session.add(file)
    await session.flush()
    request = LiveRequest(
        file_id=str(file.id),
        journal=journal_of(file.id),
        language=file.language,
        caption_rules=rules_for(file.language),
        terms=(*hints.terms, *await spoken_terms(session, file.user_id, file.team_id))[:TERMS_MAX],
        detection=hints.detection,
    )
    job = await enqueue(
        session,
        kind=JobKind.LIVE,
        subject_id=file.id,
        file_id=file.id,
        user_id=file.user_id,
        priority=await priority_of(session, file.user_id, file.team_id),
        dedup_key=f"{JobKind.LIVE}:{file.id}",
        request=request,
    )
    hours = settings.live_hours
    live = LiveSession(
        file_id=file.id,
        source=body.source,
        reserved_s=await reserve_first(session, job, file),
        ends_at_ms=hours * 3_600_000,
        ends_why=TOO_LONG(hours=hours),
        translate_to=translations,
    )
    session.add(live)
    await session.flush()
    await announce(session, file, Action.STARTED)
    await emit(session, file, FileCreated(file=facts_of(file)))
    await emit(session, file, LiveStarted(file=facts_of(file)))
    return file, live


async def _require_room(session: AsyncSession, settings: ApiSettings, viewer: Viewer) -> None:
    """Raises `TooManyLive`."""
    if await queries.count_open(session) >= settings.live_recordings:
        raise TooManyLive(TOO_MANY)
    if await queries.count_open(session, added_by(viewer.user_id, File)) >= settings.live_recordings_per_person:
        raise TooManyLive(TOO_MANY_OF_OWN)
    if viewer.team_id is None:
        return
    if await queries.count_open(session, of_team(viewer.team_id, File)) >= settings.live_recordings_per_team:
        raise TooManyLive(TOO_MANY_OF_TEAM)


async def take_over(state: AppState, viewer: Viewer, key: str, source: uuid.UUID) -> tuple[File, LiveSession]:
    """Let another page or program send the sound from now on. Raises `LiveEnded`."""
    async with state.database.read() as session:
        file, live = await queries.find(session, viewer, key)
        pieces = live.pieces
    # A piece that was kept and not acknowledged is part of the recording: it may have been read already.
    is_kept = await asyncio.to_thread(state.storage.exists, piece_key(journal_of(file.id), pieces))
    async with state.database.write() as session:
        file, live = await queries.find(session, viewer, key, hold=True)
        if live.state != LiveState.OPEN:
            raise LiveEnded
        if live.source != source:
            live.source = source
            live.pieces += is_kept and live.pieces == pieces
    return file, live


async def share(session: AsyncSession, viewer: Viewer, key: str, *, is_open: bool) -> tuple[File, LiveSession]:
    """Open a link at which anybody may read along, or close it. An open one stays the same."""
    file, live = await queries.find(session, viewer, key, hold=True)
    if not is_open:
        live.watch_token = None
    elif live.watch_token is None:
        live.watch_token = secrets.token_urlsafe(TOKEN_BYTES)
    return file, live


async def translate(
    session: AsyncSession, viewer: Viewer, key: str, languages: Sequence[str]
) -> tuple[File, LiveSession]:
    """Translate the captions into these languages from now on. What is there in others stays. Raises `LiveEnded`."""
    file, live = await queries.find(session, viewer, key, hold=True)
    if live.state != LiveState.OPEN:
        raise LiveEnded
    live.translate_to = await _translations(session, viewer, file.language, languages)
    await continuing.go_on(session, file, live.translate_to)
    await announce(session, file, Action.CHANGED)
    return file, live


async def _translations(session: AsyncSession, viewer: Viewer, source: str, languages: Sequence[str]) -> list[str]:
    """As the language lists spell them, each once. Raises `PairUnsupported`."""
    codes = list(dict.fromkeys(listed_code(language) or language for language in languages))
    for code in codes:
        await require_pair(session, viewer, source, code)
    return codes


async def end(state: AppState, viewer: Viewer, key: str, source: uuid.UUID | None = None) -> tuple[File, LiveSession]:
    """No sound follows. Ending it again changes nothing. Raises `OtherSource` where `source` no longer sends."""
    async with state.database.write() as session:
        file, live = await queries.find(session, viewer, key, hold=True)
        if source not in (None, live.source):
            raise OtherSource
        await end_recording(session, file, live)
    await close_journal(state.storage, state.settings.work_root, live)
    return file, live


async def end_recording(session: AsyncSession, file: File, live: LiveSession, why: str | None = None) -> None:
    """End a recording that the caller has locked. `why` is a sentence where nobody has ended it.

    After the commit, `close_journal` tells the flow. Where a process dies in between, `LiveWatch` does.
    """
    if live.state == LiveState.OPEN:
        live.ends_why = why
        await take_no_more(session, file, live, why)
        await announce(session, file, Action.CHANGED)


async def take_no_more(session: AsyncSession, file: File, live: LiveSession, why: str | None) -> None:
    """Close a recording that is open. `why` is a sentence where nobody has ended it."""
    LIVE_STATE.move(live, LiveState.ENDED)
    live.ends_at_ms = live.pieces * PIECE_MS
    await emit(session, file, LiveFinished(file=facts_of(file), recorded_ms=live.ends_at_ms, reason=why))


async def close_journal(storage: Storage, work_root: Path, live: LiveSession) -> None:
    """Tell the flow how many pieces there are. Outside any transaction: storage may be slow."""
    work = work_root / f"{uuid.uuid4()}.live"
    await asyncio.to_thread(write_end, storage, journal_of(live.file_id), live.pieces, work)


async def announce(session: AsyncSession, file: File, action: Action) -> None:
    message = event(Topic.LIVE, action, slug=file.slug, name=file.name)
    add_event(session, await notice_of(session, file, message))
