"""Read who speaks in a file, and change it: names, colours, merged speakers, reassigned lines. All can be undone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries as captions
from api.content.captions.actions import SPEAKERS
from api.content.captions.editing.large_command import Plan, fitting, is_large, run_command
from api.content.captions.editing.saving import Change, save
from api.content.captions.large import tools
from api.content.captions.large.change import LargeChange, LargeWork, Tool
from api.content.captions.models import CaptionLineRow, CaptionTrack, Speaker
from api.content.captions.speakers import number_of, replace_speakers, speakers_of, speakers_to_json
from api.content.captions.stored.rows import is_sqlite, line_of_stored
from api.content.captions.tracks import track_to_change, tracks_of
from api.content.files import queries
from api.content.files.models import File
from api.content.files.waiting import Waiting, waiting_of
from api.content.files.webhooks import emit_captions_changed
from api.content.speakers import detection
from api.content.speakers.schemas import (
    DetectionState,
    NewSpeaker,
    Reassignment,
    SampleOut,
    SpeakerChange,
    SpeakerOut,
    SpeakersOut,
    VoiceSuggestion,
)
from api.content.speakers.undetected import without_detection
from api.content.speakers.voices import service as voices
from api.people.auth.viewer import Viewer
from api.platform.capabilities.advice import capability_for
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict, Invalid, NotFound
from api.platform.http.pages.language import in_page_language
from api.platform.jobs.order.queue_position import positions
from cluster.stored_sentences import sentence_of_json
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.speaker_lines import merge_speakers, next_label, reassign
from pipelines.captions.limits import SPEAKERS_MAX
from pipelines.captions.texts.speaker_names import COLOURS, shown_name
from pipelines.messages.lines import CaptionLine
from pipelines.speakers.voices import Likeness
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.engine_labels import engine_label

NO_SUCH_SPEAKER = Message(
    "speakers.no_such_speaker", "This speaker is no longer there. Somebody may have merged or removed it."
)
TOO_MANY = Message(
    "speakers.too_many", "A file has at most {count} speakers. Merge two of them first.", count=SPEAKERS_MAX
)
SAME_NAME = Message(
    "speakers.same_name", "Another speaker has this name already. Merge the two, or choose another name."
)
NEW = "new"
"""Stands for a speaker that does not exist yet, in a reassignment."""


class NameTaken(Conflict):
    """Two speakers would have one name: the page offers to merge them."""

    code = "same_name"

    def __init__(self, label: str) -> None:
        super().__init__(SAME_NAME)
        self.label = label

    def body(self) -> dict[str, Any]:
        return {**super().body(), "data": {"label": self.label}}


async def read(session: AsyncSession, viewer: Viewer, key: str) -> SpeakersOut:
    return await describe(session, viewer, await queries.find(session, viewer, key))


async def describe(session: AsyncSession, viewer: Viewer, file: File) -> SpeakersOut:
    """The speakers of a file, with the state of their detection."""
    job = await detection.newest_job(session, file)
    track = (await tracks_of(session, file)).transcription
    counts = await _counts(session, track)
    waiting = Waiting()
    if job is not None and detection.is_open(job):
        waiting = waiting_of(job, await positions(session, [job.id]))
    reason = detection.refusal(file, await capability_for(session, DIARIZATION, is_admin=viewer.is_admin))
    speakers = await speakers_of(session, file.id)
    alike = await voices.suggestions(session, file, speakers)
    state = detection.state_of(job)
    if file.id in await without_detection(session, [file]):
        state = DetectionState.OMITTED
    record = (job.result or {}) if job is not None and state is DetectionState.READY else {}
    engine = record.get("engine")
    return SpeakersOut(
        state=state,
        progress=job.progress if job is not None and state is DetectionState.RUNNING else 0,
        eta_s=waiting.eta_s,
        queue_place=waiting.queue_place,
        error=job.error if job is not None and state is DetectionState.FAILED else None,
        engine=engine_label(engine["engine"], engine["model"]) if engine else None,
        notes=[sentence_of_json(note) for note in record.get("notes", ())],
        can_detect=reason is None,
        reason=reason,
        revision=0 if track is None else track.revision,
        can_undo=track is not None and bool((await captions.history(session, track.id)).done),
        speakers=[_out(speaker, counts, alike.get(speaker.label)) for speaker in speakers],
    )


async def change(session: AsyncSession, viewer: Viewer, key: str, label: str, body: SpeakerChange) -> File:
    """Rename or recolour. Raise `NameTaken` when another speaker has the name."""
    file, track, speakers = await _to_change(session, viewer, key)
    speaker = _speaker_of(speakers, label)
    before = speakers_to_json(speakers)
    if body.name is not None:
        name = body.name.strip() or None
        taken = next((each for each in speakers if each is not speaker and _same_name(each, name)), None)
        if taken is not None:
            raise NameTaken(taken.label)
        speaker.name = name
    if body.colour is not None:
        speaker.colour = body.colour
    await _save(session, viewer, file, track, EditResult(), before, speakers_to_json(speakers))
    return file


async def add(session: AsyncSession, viewer: Viewer, key: str, body: NewSpeaker) -> File:
    """Add a speaker who has no lines yet. Raise `NameTaken` when another speaker has the name."""
    file, track, speakers = await _to_change(session, viewer, key)
    before = speakers_to_json(speakers)
    name = body.name.strip() or None
    taken = next((each for each in speakers if _same_name(each, name)), None)
    if taken is not None:
        raise NameTaken(taken.label)
    speaker = _new_speaker(_next_label(speakers))
    colour = speaker["colour"] if body.colour is None else body.colour
    after = [*before, {**speaker, "name": name, "colour": colour}]
    await _save(session, viewer, file, track, EditResult(), before, after)
    return file


async def dismiss_voice(session: AsyncSession, viewer: Viewer, key: str, label: str) -> File:
    """The speaker is not who it sounds like."""
    file = await queries.find(session, viewer, key, hold=True)
    _speaker_of(await speakers_of(session, file.id), label)
    await voices.dismiss(session, file, label)
    return file


async def merge(database: Database, viewer: Viewer, key: str, label: str, into: str) -> None:
    """Give all lines of a speaker to another one, who keeps name, colour and sample."""

    async def read(session: AsyncSession) -> LargeWork | None:
        return await _work(session, viewer, key, lambda _: partial(tools.merge, source=label, target=into))

    async def write(session: AsyncSession, plan: Plan | None) -> None:
        file, track, speakers = await _to_change(session, viewer, key)
        source, target = _speaker_of(speakers, label), _speaker_of(speakers, into)
        if source is target:
            raise Invalid.field("into", Message("speakers.merge_with_itself", "Choose another speaker to merge with."))
        before = speakers_to_json(speakers)
        result = fitting(plan, track) or await _result(
            session, track, lambda lines: merge_speakers(lines, source.label, target.label)
        )
        target.name = target.name or source.name
        rest = [speaker for speaker in speakers if speaker is not source]
        await _save(session, viewer, file, track, result, before, speakers_to_json(rest))

    await run_command(database, viewer, read, write)


async def assign(database: Database, viewer: Viewer, key: str, body: Reassignment) -> None:
    """Say who speaks these lines: a speaker of the file, nobody, or a new one."""
    ids = {str(line) for line in body.lines}

    async def read(session: AsyncSession) -> LargeWork | None:
        def tool(speakers: Sequence[Speaker]) -> Tool:
            label = _next_label(speakers) if body.speaker == NEW else body.speaker
            return partial(tools.assign, ids=ids, speaker=label)

        return await _work(session, viewer, key, tool)

    async def write(session: AsyncSession, plan: Plan | None) -> None:
        file, track, speakers = await _to_change(session, viewer, key)
        before = after = speakers_to_json(speakers)
        label = body.speaker
        if label == NEW:
            label = _next_label(speakers)
            after = [*before, _new_speaker(label)]
        elif label is not None:
            _speaker_of(speakers, label)
        result = fitting(plan, track) or await _result(session, track, lambda lines: reassign(lines, ids, label))
        if not _is_empty(result):
            await _save(session, viewer, file, track, result, before, after)

    await run_command(database, viewer, read, write)


async def _work(
    session: AsyncSession, viewer: Viewer, key: str, tool: Callable[[Sequence[Speaker]], Tool]
) -> LargeWork | None:
    """The change of all lines that `tool` makes for the speakers of the file. None where the lines are few."""
    tracks = await tracks_of(session, await queries.find(session, viewer, key))
    track = tracks.choose().track
    if track is None or not await is_large(session, track):
        return None
    lines = await captions.text_of_lines(session, track.id)
    made_by = tool(await speakers_of(session, tracks.file.id))
    return LargeWork(made_by, track.id, track.revision + 1, lines, is_sqlite(session))


def _is_empty(result: EditResult | LargeChange) -> bool:
    return result.is_empty if isinstance(result, LargeChange) else not result.after


async def _to_change(session: AsyncSession, viewer: Viewer, key: str) -> tuple[File, CaptionTrack, Sequence[Speaker]]:
    """The locked file, its transcription and its speakers. Raises `Conflict` while the file is being transcribed."""
    file = await queries.find(session, viewer, key, hold=True)
    tracks = await tracks_of(session, file)
    track = await track_to_change(session, tracks.choose())
    return file, track, await speakers_of(session, file.id)


async def _save(
    session: AsyncSession,
    viewer: Viewer,
    file: File,
    track: CaptionTrack,
    result: EditResult | LargeChange,
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
) -> Change | None:
    if before == after and _is_empty(result):
        return None
    await replace_speakers(session, file.id, after)
    await emit_captions_changed(session, file, track.language)
    return await save(session, viewer, track, SPEAKERS, result, speakers_before=before, speakers_after=after)


async def _result(
    session: AsyncSession, track: CaptionTrack, edit: Callable[[Sequence[CaptionLine]], EditResult]
) -> EditResult:
    rows = await captions.stored_lines(session, track.id)
    return await asyncio.to_thread(lambda: edit([line_of_stored(row) for row in rows]))


def _speaker_of(speakers: Sequence[Speaker], label: str) -> Speaker:
    speaker = next((each for each in speakers if each.label == label), None)
    if speaker is None:
        raise NotFound(NO_SUCH_SPEAKER)
    return speaker


def _next_label(speakers: Sequence[Speaker]) -> str:
    if len(speakers) >= SPEAKERS_MAX:
        raise Conflict(TOO_MANY)
    return next_label([speaker.label for speaker in speakers])


def _same_name(speaker: Speaker, name: str | None) -> bool:
    return name is not None and shown_name(speaker.label, speaker.name).casefold() == name.casefold()


def _new_speaker(label: str) -> dict[str, Any]:
    colour = (number_of(label) - 1) % COLOURS
    return {"label": label, "name": None, "colour": colour, "sample_start_ms": None, "sample_end_ms": None}


async def _counts(session: AsyncSession, track: CaptionTrack | None) -> dict[str, tuple[int, int]]:
    """How many lines each speaker has, and their milliseconds."""
    if track is None:
        return {}
    spoken_ms = func.sum(CaptionLineRow.end_ms - CaptionLineRow.start_ms)
    statement = (
        select(CaptionLineRow.speaker, func.count(), spoken_ms)
        .where(CaptionLineRow.track_id == track.id)
        .group_by(CaptionLineRow.speaker)
    )
    rows = (await session.execute(statement)).tuples()
    return {speaker: (lines, int(total)) for speaker, lines, total in rows if speaker is not None}


def _out(speaker: Speaker, counts: Mapping[str, tuple[int, int]], alike: Likeness | None) -> SpeakerOut:
    lines, spoken_ms = counts.get(speaker.label, (0, 0))
    sample = None
    if speaker.sample_start_ms is not None and speaker.sample_end_ms is not None:
        sample = SampleOut(start_ms=speaker.sample_start_ms, end_ms=speaker.sample_end_ms)
    return SpeakerOut(
        label=speaker.label,
        name=speaker.name,
        shown=speaker.name or in_page_language(shown_name(speaker.label, None)),
        colour=speaker.colour,
        lines=lines,
        spoken_ms=spoken_ms,
        sample=sample,
        suggestion=None
        if alike is None
        else VoiceSuggestion(name=alike.name, similarity=round(100 * alike.similarity)),
    )
