"""What a translation job does to the tracks of its file, and the events it sends. The file's status stays as it is."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.actions import LIVE, TRANSLATE
from api.content.captions.editing.announcing import announce_lines
from api.content.captions.editing.writing import write
from api.content.captions.errors import LanguageTaken
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.reading import all_lines
from api.content.captions.tracks import TracksOfFile, add_track, tracks_of
from api.content.files.models import File, FileStatus
from api.content.files.webhooks import facts_of
from api.content.translations import continuing
from api.content.translations.accepting import accepted, as_of_now
from api.content.translations.events import notice
from api.people.auth.viewer import Author
from api.people.webhooks.emission import emit
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import is_begun_again
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import Action
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import TranslationReady
from cluster.resources import WAITING_TASK_CPUS
from cluster.stored_sentences import sentence_as_json
from cluster.wording.message import Message
from pipelines.messages.attempt import Chunk, Progress, StageFailed
from pipelines.messages.results import engine_record
from pipelines.messages.translate import TRANSLATE as TRANSLATE_FLOW
from pipelines.messages.translate import TranslateRequest, TranslateResult

SOURCE_GONE = Message("translations.source_gone", "The captions it was made from were deleted.")


class TranslateHandler(Handler[TranslateResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        file = await _file(session, job)
        if file is not None and not _is_live(job):
            add_event(session, await notice(session, file, _language(job), Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        return await _moved(session, job, job.progress)

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> list[Notice]:
        """Tell the page to fetch the draft again. The queue stores the chunk itself."""
        return await _moved(session, job, min(99, job.progress))

    async def on_done(self, session: AsyncSession, job: Job, result: TranslateResult) -> None:
        file = await _file(session, job, hold=True)
        if file is None:
            return
        request = TranslateRequest.from_json(job.request)
        tracks = await tracks_of(session, file)
        source = next((track for track in tracks.tracks if str(track.id) == request.track_id), None)
        if source is None:
            await self.on_failed(session, job, StageFailed("translate", SOURCE_GONE, retryable=False))
            return
        try:
            track = await _save(session, job, tracks, source, request, result)
        except LanguageTaken as taken:
            await self.on_failed(session, job, StageFailed("translate", taken.message, retryable=False))
            return
        track.engine = engine_record(result.engine)
        track.formality = request.formality
        track.notes = [sentence_as_json(note) for note in result.notes]
        track.source_revision = source.revision
        if request.is_live:
            await announce_lines(session, file, track.language, track.revision)
            await _settle(session, file, track.language)
            return
        add_event(session, await notice(session, file, track.language, Action.COMPLETED, progress=100))
        ready = TranslationReady(file=facts_of(file), language=track.language, source_language=source.language)
        await emit(session, file, ready)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        file = await _file(session, job, hold=_is_live(job))
        if file is not None and _is_live(job):
            # It is tried again, and what people wait for is said in the end.
            await _settle(session, file, _language(job))
        elif file is not None:
            add_event(session, await notice(session, file, _language(job), Action.FAILED, reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        file = await _file(session, job)
        if file is not None and not await is_begun_again(session, job):
            add_event(session, await notice(session, file, _language(job), Action.ABANDONED))


async def _save(
    session: AsyncSession,
    job: Job,
    tracks: TracksOfFile,
    source: CaptionTrack,
    request: TranslateRequest,
    result: TranslateResult,
) -> CaptionTrack:
    """Write the lines as they fit the source as it is now. Raises `LanguageTaken`."""
    source_lines = await all_lines(session, source)
    if request.is_live:
        source_lines = [line for line in source_lines if line.start_ms >= request.lines[0].start_ms]
    lines = as_of_now(request, result, source_lines)
    present = next((track for track in tracks.tracks if track.language == result.language), None)
    if present is None or present.origin != TrackOrigin.TRANSLATION:
        track = await add_track(session, tracks.file, result.language, TrackOrigin.TRANSLATION, lines, source=source)
        if request.is_live:
            add_event(session, await notice(session, tracks.file, track.language, Action.CHANGED))
        return track
    change = await accepted(session, present, request, lines)
    if change.before or change.after:
        if request.is_live:
            await write(session, Author(None), present, LIVE, change, is_kept=False)
        else:
            await write(session, Author(job.user_id), present, TRANSLATE, change)
    return present


async def _settle(session: AsyncSession, file: File, language: str) -> None:
    """After a run for a recording that is made: if it has ended meanwhile, what is missing is translated now."""
    if file.status != FileStatus.LIVE:
        await continuing.finish(session, file, language)


def _is_live(job: Job) -> bool:
    return bool(job.request.get("is_live"))


async def _file(session: AsyncSession, job: Job, *, hold: bool = False) -> File | None:
    return None if job.file_id is None else await session.get(File, job.file_id, with_for_update=hold or None)


async def _moved(session: AsyncSession, job: Job, progress: int) -> list[Notice]:
    file = await _file(session, job)
    if file is None or job.cancel_requested or _is_live(job):
        return []
    return [await notice(session, file, _language(job), Action.PROGRESS, progress=progress)]


def _language(job: Job) -> str:
    language: str = job.request["target_language"]
    return language


TRANSLATE_JOB = JobType(
    kind=JobKind.TRANSLATE,
    title=Message("translations.title", "Translating"),
    request=TranslateRequest,
    result=TranslateResult,
    flow=TRANSLATE_FLOW,
    cpus=WAITING_TASK_CPUS,
    handler=TranslateHandler(),
    price=Price(Message("translations.price", "Translation"), Fraction(0)),
    has_model=True,
    summary_fields=("source_language", "target_language", "formality"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (TRANSLATE_JOB,)
