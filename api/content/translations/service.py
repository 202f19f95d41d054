"""Start, refresh, stop, delete and restore translations of a file's captions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.errors import OTHER_LANGUAGE, STILL_LIVE, LanguageTaken
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.reading import all_lines
from api.content.captions.speech.runs import open_run, subject_of
from api.content.captions.tracks import TracksOfFile, find_tracks
from api.content.files import queries as files
from api.content.files.models import File
from api.content.translations.events import notice
from api.content.translations.languages import require_pair
from api.content.translations.requests import RefreshScope, lines_to_refresh, queue_translation
from api.content.translations.schemas import RefreshIn, TranslateIn
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid, NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action
from cluster.wording.message import Message
from pipelines.languages import language_label, listed_code
from pipelines.messages.lines import CaptionLine
from pipelines.messages.translate import Formality

NO_CAPTIONS = Message(
    "translations.no_captions", "There are no captions to translate yet. Transcribe the file or add a line first."
)
NOTHING_STALE = Message(
    "translations.nothing_stale", "Nothing to refresh: every line is up to date, or was written by a person."
)
NOTHING_RUNS = Message(
    "translations.nothing_runs", "This translation is not being worked on, so there is nothing to cancel."
)
NOTHING_DELETED = Message("translations.nothing_deleted", "There is no deleted translation to restore.")


class AlreadyTranslating(Conflict):
    code = "already_translating"

    def __init__(self, language: str) -> None:
        super().__init__(
            Message(
                "translations.running",
                "The captions are being translated to {language} already.",
                language=language_label(language),
            )
        )


class TranslatedFurther(Conflict):
    """Another translation was made from this one and follows it."""

    def __init__(self, language: str, others: Sequence[str]) -> None:
        names = " and ".join(language_label(other) for other in others)
        super().__init__(
            Message(
                "translations.has_translations",
                "{names} was translated from {language}. Delete that translation first.",
                names=names,
                language=language_label(language),
            )
        )


async def translate(session: AsyncSession, viewer: Viewer, key: str, request: TranslateIn) -> File:
    """Queue one job for each language, all or none.

    A translation that is there is made anew, except for lines that a person wrote. Raises `Invalid`, `PairUnsupported`,
    `LanguageTaken`, and `Conflict` while the captions or the translation are being made.
    """
    tracks = await find_tracks(session, viewer, key, hold=True)
    source, lines = await _source(session, tracks, request.source)
    for language in request.wanted:
        present = _translation(tracks, language)
        if language == source.language or (present is None and any(language == t.language for t in tracks.tracks)):
            raise LanguageTaken(language)
        await require_pair(session, viewer, source.language, language)
        await _require_no_run(session, tracks.file, language)
        formality = request.formality or Formality(
            present.formality or Formality.DEFAULT if present else Formality.DEFAULT
        )
        await queue_translation(
            session,
            viewer.user_id,
            tracks.file,
            source,
            language,
            formality=formality,
            source_lines=lines,
            present=present,
            existing=[] if present is None else await all_lines(session, present),
            wanted=RefreshScope(),
        )
        add_event(session, await notice(session, tracks.file, language, Action.DISPATCHED))
    return tracks.file


async def refresh(session: AsyncSession, viewer: Viewer, key: str, language: str, request: RefreshIn) -> File:
    """Queue a job that translates lines again: those given, or all that are stale or missing."""
    tracks = await find_tracks(session, viewer, key, hold=True)
    track = _translation(tracks, language)
    if track is None:
        raise NotFound(OTHER_LANGUAGE)
    source = next((each for each in tracks.tracks if each.id == track.source_track_id), None)
    if source is None:
        raise NotFound(OTHER_LANGUAGE)
    await _require_no_run(session, tracks.file, track.language)
    await require_pair(session, viewer, source.language, track.language)
    lines = await all_lines(session, source)
    wanted = await lines_to_refresh(session, track, lines, request.lines, include_edited=request.include_edited)
    if not wanted:
        raise Invalid.field("lines", NOTHING_STALE)
    await queue_translation(
        session,
        viewer.user_id,
        tracks.file,
        source,
        track.language,
        formality=Formality(track.formality or Formality.DEFAULT),
        source_lines=lines,
        present=track,
        existing=await all_lines(session, track),
        wanted=RefreshScope(wanted, request.include_edited),
    )
    add_event(session, await notice(session, tracks.file, track.language, Action.DISPATCHED))
    return tracks.file


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, language: str) -> File:
    """Stop the run of a translation. Lines that are there stay as they are."""
    file = (await find_tracks(session, viewer, key)).file
    code = code_of(language)
    which = jobs.of_subject(subject_of(file.id, code), JobKind.TRANSLATE)
    # The event is the handler's: a running job ends within a second, a waiting one here.
    if await jobs.cancel(session, types, which) == 0:
        raise Conflict(NOTHING_RUNS)
    await files.lock(session, file)
    return file


async def remove(
    session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, language: str | None
) -> tuple[File, list[str]]:
    """Delete one translation, or all, with their runs. Until another takes their place they can be restored."""
    tracks = await find_tracks(session, viewer, key)
    file, code = tracks.file, None if language is None else code_of(language)
    which = (
        jobs.of_files([file.id], JobKind.TRANSLATE)
        if code is None
        else jobs.of_subject(subject_of(file.id, code), JobKind.TRANSLATE)
    )
    ended = await jobs.cancel(session, types, which)
    # Jobs first, then the file.
    tracks = await find_tracks(session, viewer, key, hold=True)
    chosen = [track for track in _translations(tracks) if code is None or track.language == code]
    ids = {track.id for track in chosen}
    for track in chosen:
        others = [each.language for each in tracks.tracks if each.source_track_id == track.id and each.id not in ids]
        if others:
            raise TranslatedFurther(track.language, others)
    dismissed = await _dismiss_ended(session, file, code)
    if code is not None and not chosen and not ended and not dismissed:
        raise NotFound(OTHER_LANGUAGE)
    await session.execute(
        update(CaptionTrack)
        .where(CaptionTrack.id.in_(ids))
        .values(deleted_at=utc_now())
        .execution_options(synchronize_session=False)
    )
    for track in chosen:
        add_event(session, await notice(session, file, track.language, Action.CHANGED))
    return file, [track.language for track in chosen]


async def restore(session: AsyncSession, viewer: Viewer, key: str) -> File:
    """Bring back the translations that were deleted last. Raises `Conflict` when there are none."""
    tracks = await find_tracks(session, viewer, key, hold=True)
    mine = CaptionTrack.file_id == tracks.file.id
    last = await session.scalar(select(func.max(CaptionTrack.deleted_at)).where(mine))
    if last is None:
        raise Conflict(NOTHING_DELETED)
    restored = (await session.scalars(select(CaptionTrack).where(mine, CaptionTrack.deleted_at == last))).all()
    for track in restored:
        track.deleted_at = None
        add_event(session, await notice(session, tracks.file, track.language, Action.CHANGED))
    return tracks.file


async def _source(
    session: AsyncSession, tracks: TracksOfFile, language: str | None
) -> tuple[CaptionTrack, list[CaptionLine]]:
    """The track to translate and its lines."""
    chosen = tracks.choose(language)
    if chosen.is_live:
        raise Conflict(STILL_LIVE)
    lines = [] if chosen.track is None else await all_lines(session, chosen.track)
    if chosen.track is None or not any(line.text for line in lines):
        raise Invalid.field("source", NO_CAPTIONS)
    return chosen.track, lines


async def _require_no_run(session: AsyncSession, file: File, language: str) -> None:
    if await open_run(session, file.id, language) is not None:
        raise AlreadyTranslating(language)


async def _dismiss_ended(session: AsyncSession, file: File, language: str | None) -> int:
    """Forget failed and cancelled runs, which would be listed without a translation."""
    mine = (
        jobs.of_files([file.id], JobKind.TRANSLATE)
        if language is None
        else jobs.of_subject(subject_of(file.id, language), JobKind.TRANSLATE)
    )
    ended = delete(Job).where(mine, Job.state.in_((JobState.FAILED, JobState.CANCELLED)))
    removed = await session.execute(ended.returning(Job.id).execution_options(synchronize_session=False))
    return len(removed.all())


def _translations(tracks: TracksOfFile) -> list[CaptionTrack]:
    return [track for track in tracks.tracks if track.origin == TrackOrigin.TRANSLATION]


def _translation(tracks: TracksOfFile, language: str) -> CaptionTrack | None:
    code = code_of(language)
    return next((track for track in _translations(tracks) if track.language == code), None)


def code_of(language: str) -> str:
    """The code as the language lists spell it."""
    return listed_code(language) or language
