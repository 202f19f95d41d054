"""What a detection of speakers does to the lines of its file, and the events it sends. The file's status stays."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.actions import SPEAKERS
from api.content.captions.editing.writing import write
from api.content.captions.models import CaptionTrack
from api.content.captions.queries import stored_lines
from api.content.captions.speakers import number_of, replace_speakers, speakers_of, speakers_to_json
from api.content.captions.stored.rows import line_of_stored
from api.content.captions.tracks import tracks_of
from api.content.files.models import File
from api.content.files.webhooks import emit_captions_changed
from api.content.speakers.voices.service import keep_voices
from api.people.access.audience import notice_of
from api.people.auth.viewer import Author
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from cluster.resources import WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.speaker_lines import difference, labels_kept
from pipelines.captions.limits import LINES_MAX
from pipelines.captions.texts.speaker_names import COLOURS
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.speakers import SPEAKERS as SPEAKERS_FLOW
from pipelines.messages.speakers import SpeakersRequest, SpeakersResult
from pipelines.speakers.assign import assign

TOO_MANY_LINES = Message(
    "speakers.too_many_lines",
    "With a line for each speaker these captions would have more than {count:,} lines.",
    count=LINES_MAX,
)


async def _notice(
    session: AsyncSession, file: File, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    message = event(Topic.SPEAKERS, action, slug=file.slug, name=file.name, progress=progress, reason=reason)
    return await notice_of(session, file, message)


class SpeakersHandler(Handler[SpeakersResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        if (file := await session.get(File, job.subject_id)) is not None:
            add_event(session, await _notice(session, file, Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        file = await session.get(File, job.subject_id)
        if file is None or job.cancel_requested:
            return []
        return [await _notice(session, file, Action.PROGRESS, progress=job.progress)]

    async def on_done(self, session: AsyncSession, job: Job, result: SpeakersResult) -> None:
        await _forget_voices(session, job)
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        track = (await tracks_of(session, file)).transcription
        if track is not None and not await _save(session, file, track, job, result):
            add_event(session, await _notice(session, file, Action.FAILED, reason=TOO_MANY_LINES))
            return
        add_event(session, await _notice(session, file, Action.COMPLETED, progress=100))

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        await _forget_voices(session, job)
        if (file := await session.get(File, job.subject_id)) is not None:
            add_event(session, await _notice(session, file, Action.FAILED, reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        await _forget_voices(session, job)
        if (file := await session.get(File, job.subject_id)) is not None:
            add_event(session, await _notice(session, file, Action.ABANDONED))


async def _forget_voices(session: AsyncSession, job: Job) -> None:
    """Delete the finished parts: they describe voices, which are biometric data, and serve running work alone."""
    await session.execute(
        delete(JobChunk).where(JobChunk.job_id == job.id).execution_options(synchronize_session=False)
    )


async def _save(session: AsyncSession, file: File, track: CaptionTrack, job: Job, result: SpeakersResult) -> bool:
    """Give each line its speaker, as one change that can be undone; False when too many lines would result."""
    rows = await stored_lines(session, track.id)
    known = await speakers_of(session, file.id)
    labels, change, lines = await asyncio.to_thread(_change, rows, result, [speaker.label for speaker in known])
    if lines > LINES_MAX:
        return False
    before = speakers_to_json(known)
    # A detection that finds nobody leaves the lines, and so their speakers, as they are.
    after = _speakers(before, labels, result) if labels else before
    await replace_speakers(session, file.id, after)
    await keep_voices(session, file, labels, result)
    await write(session, Author(job.user_id), track, SPEAKERS, change, speakers_before=before, speakers_after=after)
    await emit_captions_changed(session, file, track.language)
    return True


def _change(
    rows: Sequence[Any], result: SpeakersResult, known: Sequence[str]
) -> tuple[Mapping[str, str], EditResult, int]:
    """New label to kept label, the change of the lines, and how many lines there are after it."""
    before = [line_of_stored(row) for row in rows]
    labels = labels_kept(result.turns, before, known)
    turns = [turn.model_copy(update={"speaker": labels[turn.speaker]}) for turn in result.turns]
    after = assign(before, turns)
    return labels, difference(before, after), len(after)


def _speakers(
    before: Sequence[dict[str, Any]], labels: Mapping[str, str], result: SpeakersResult
) -> list[dict[str, Any]]:
    """The speakers after a detection. One whom it did not find again stays only with a name that a person gave."""
    old = {value["label"]: value for value in before}
    samples = {labels[sample.speaker]: sample for sample in result.samples}
    speakers = [value for value in before if value["label"] not in labels.values() and value["name"]]
    for label in labels.values():
        sample = samples.get(label)
        value = old.get(label) or {"label": label, "name": None, "colour": (number_of(label) - 1) % COLOURS}
        speakers.append(
            {
                **value,
                "sample_start_ms": sample.start_ms if sample else None,
                "sample_end_ms": sample.end_ms if sample else None,
            }
        )
    return sorted(speakers, key=lambda value: number_of(value["label"]))


SPEAKERS_JOB = JobType(
    kind=JobKind.SPEAKERS,
    title=Message("speakers.title", "Detecting speakers"),
    request=SpeakersRequest,
    result=SpeakersResult,
    flow=SPEAKERS_FLOW,
    cpus=WAITING_TASK_CPUS,
    handler=SpeakersHandler(),
    has_model=True,
    summary_fields=("duration_ms", "speakers"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (SPEAKERS_JOB,)
