"""Read captions and change them. Each change is one revision, and is refused when it was made on an old state."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sqlalchemy import Row, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.editing import changes
from api.content.captions.editing.bulk import bulk_result, work_of_bulk
from api.content.captions.editing.edits import AnyEdit, ChangeLines, ChangeNothing, MoveLines, StepThroughHistory
from api.content.captions.editing.saving import Change, change_of_command, is_repeat, save, save_moves
from api.content.captions.editing.steps import plan_of_step, step
from api.content.captions.editing.writing import WritePlan, write_plan
from api.content.captions.errors import NOT_YET, EditFailed
from api.content.captions.history import History
from api.content.captions.large.change import LargeChange, LargeWork
from api.content.captions.large.command import Plan, fitting, is_large
from api.content.captions.links import Sources, is_linked, source_to_wire, texts_now, texts_of_source
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines, sources_for
from api.content.captions.rows import is_sqlite, line_of_stored
from api.content.captions.speakers import speakers_by_source
from api.content.captions.speech.draft import draft_of, draft_of_translation
from api.content.captions.speech.jobs import NO_SPEECH
from api.content.captions.speech.runs import open_run
from api.content.captions.tracks import TrackOfFile, TracksOfFile, find_tracks, source_language, track_to_change
from api.content.captions.wire import json_to_wire
from api.content.files.models import File
from api.content.files.webhooks import emit_captions_changed
from api.content.glossary.corrections import record
from api.people.access.audience import notice_of
from api.people.auth.viewer import Viewer
from api.platform.http.errors import ApiError
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import child_of, event
from api.platform.realtime.messages import Action, Topic
from pipelines.captions.edits.corrections import Correction, corrected
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.limits import LINES_MAX
from pipelines.messages.lines import CaptionLine

_PLANNED_LINES = 200
"""Lines of a change from which on it is computed before it holds the lock."""

FULL = f"This file has {LINES_MAX:,} lines, and no more fit. Delete or merge some first."


@dataclass(frozen=True, slots=True)
class Captions:
    """A snapshot of a track, in the JSON form of lines. `revisions` holds the revision of each line, in order.

    `sources` has the `SourceOut` of each line of a translation. `is_live`: a transcription or a first translation is at
    work. `values` then begin at line `first_line`, and `draft` is the token for the
    next call. `is_written`: the track exists, and `id` is its id.
    """

    id: uuid.UUID
    file: File
    language: str
    revision: int
    is_live: bool
    is_written: bool
    values: list[dict[str, Any]]
    revisions: list[int]
    sources: list[dict[str, Any] | None] = field(default_factory=list)
    source_language: str | None = None
    history: History = field(default_factory=History)
    first_line: int = 0
    draft: str | None = None

    @property
    def linked(self) -> list[dict[str, Any] | None]:
        """The `SourceOut` of each line; None for those of a track that is no translation."""
        return self.sources or [None] * len(self.values)

    @property
    def texts(self) -> list[CaptionLine]:
        """The lines as subtitle files need them: with words only where those have styles or speakers of their own.

        All words would cost ten times as much.
        """
        return [_text_of(each) for each in self.values]

    @property
    def plain_texts(self) -> list[CaptionLine]:
        """Times and texts alone."""
        return [CaptionLine(each["id"], each["start_ms"], each["end_ms"], each["text"]) for each in self.values]


def _text_of(value: dict[str, Any]) -> CaptionLine:
    is_plain = not any("styles" in word or "speaker" in word for word in value["words"])
    return line_from_json({**value, "words": ()} if is_plain else value)


async def load(
    session: AsyncSession,
    viewer: Viewer,
    key: str,
    *,
    since: str | None = None,
    language: str | None = None,
    most: int | None = None,
) -> Captions:
    """The captions of a track the viewer may see, or the draft while it is being transcribed.

    With `most`, at most so many lines of a track, from the first one on. A draft has all of its lines.
    """
    tracks = await find_tracks(session, viewer, key)
    if language is not None and not tracks.has(language):
        draft = await translated_draft(session, tracks, language, since)
        if draft is not None:
            return draft
    captions = await of_track(session, tracks.choose(language), since, most)
    if captions.is_written:
        return replace(captions, history=await queries.history(session, captions.id))
    return captions


async def of_track(
    session: AsyncSession, chosen: TrackOfFile, since: str | None = None, most: int | None = None
) -> Captions:
    """Like `load`, without the history."""
    file, track = chosen.file, chosen.track
    if chosen.is_live:
        draft = await draft_of(session, file, since)
        values = [line_to_json(line) for line in draft.lines]
        return Captions(
            *(file.id, file, file.language, 0, True, False, values, [0] * len(values)),
            first_line=draft.first,
            draft=draft.token,
        )
    if track is None:
        return Captions(file.id, file, file.language, 0, False, False, [], [])
    rows = await queries.stored_lines(session, track.id, most=most)
    sources = await sources_for(session, track)
    now = await texts_of_source(session, track) if sources is not None else {}
    values, linked = await asyncio.to_thread(_values, rows, sources, now)
    if sources is not None:
        # Speakers belong to the source, so that naming one changes every language.
        speakers = await speakers_by_source(session, track)
        values = [value | {"speaker": speakers.get(value["id"], value["speaker"])} for value in values]
    return Captions(
        *(track.id, file, track.language, track.revision, False, True, values, [row.revision for row in rows]),
        sources=linked,
        source_language=await source_language(session, track),
    )


def _values(
    rows: Sequence[Row[*tuple[Any, ...]]], sources: Sources | None, now: Mapping[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any] | None]]:
    lines = [line_of_stored(row, sources) for row in rows]
    linked = [None if line.link is None else source_to_wire(line.link, now) for line in lines]
    return [line_to_json(line) for line in lines], linked


async def translated_draft(
    session: AsyncSession, tracks: TracksOfFile, language: str, since: str | None
) -> Captions | None:
    """The lines of a first translation that is at work. None when there is none in this language."""
    file = tracks.file
    run = await open_run(session, file.id, language)
    if run is None:
        return None
    draft = await draft_of_translation(session, run.id, since)
    now = await texts_now(session, draft.lines)
    return Captions(
        *(file.id, file, run.language, 0, True, False, [line_to_json(line) for line in draft.lines]),
        [0] * len(draft.lines),
        sources=[None if line.link is None else source_to_wire(line.link, now) for line in draft.lines],
        source_language=run.source_language,
        first_line=draft.first,
        draft=draft.token,
    )


async def plan_of(session: AsyncSession, viewer: Viewer, key: str, request: AnyEdit) -> LargeWork | WritePlan | None:
    """What `edit` would compute for a change of many lines, before it holds the lock that others wait for.

    None where there is little to compute, and where the change is refused: `edit` says why.
    """
    is_planned = isinstance(request, ChangeLines) and request.size >= _PLANNED_LINES
    if not is_planned and not isinstance(request, StepThroughHistory):
        return None
    try:
        tracks = await find_tracks(session, viewer, key)
        track = tracks.choose(request.language).track
        if track is None or await is_repeat(session, tracks.file.id, request.command):
            return None
        if isinstance(request, StepThroughHistory):
            return await plan_of_step(session, track, request)
        if not isinstance(request, ChangeLines) or is_linked(track):
            # What a translation confirms depends on the newest text of its source.
            return None
        # The track was read before its lines, so a change between the two makes the plan old.
        if request.issued >= track.revision and await is_large(session, track):
            return await work_of_bulk(session, track, request)
        before = await all_lines(session, track)
        result = await bulk_result(session, track, request)
    except (ApiError, EditRefused):
        return None
    make = partial(write_plan, sqlite=is_sqlite(session), before=before)
    return await asyncio.to_thread(make, result, track.id, track.revision + 1)


async def edit(session: AsyncSession, viewer: Viewer, key: str, request: AnyEdit, plan: Plan | None = None) -> Change:
    """Save one change. Raises `StaleEdit` when the editor has not seen the line's newest text, else `EditFailed`.

    `plan` is made of `plan_of` the same request. If the captions changed since, a small one is left aside, and a large
    one raises `CaptionsMovedOn`.
    """
    tracks = await find_tracks(session, viewer, key, hold=True)
    if request.command is not None:
        earlier = await change_of_command(session, tracks.file.id, request.command)
        if earlier is not None:
            return earlier
    track = await track_to_change(session, tracks.choose(request.language))
    if request.issued > track.revision:
        raise EditFailed.field("issued", NOT_YET)
    try:
        change = await _apply(session, viewer, track, request, plan)
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused
    await remove_no_speech_note(session, track, change)
    await learn(session, tracks.file, track, change)
    await announce(session, tracks.file, change)
    return change


async def learn(session: AsyncSession, file: File, track: CaptionTrack, change: Change) -> None:
    """Keep the words that a change corrected, from which the glossary makes suggestions."""
    if is_linked(track):
        return
    if isinstance(change.result, LargeChange):
        found: Sequence[Correction] = change.result.corrections
    else:
        found = await asyncio.to_thread(corrected, change.result.before, change.result.after)
    await record(session, file, track.language, found)


async def announce(session: AsyncSession, file: File, change: Change) -> None:
    """Let pages that show a translation fetch it again, and report the change to webhooks."""
    if change.followed:
        message = event(Topic.TRANSLATE, Action.CHANGED, slug=file.slug, name=file.name)
        add_event(session, await notice_of(session, file, message))
    if change.is_move or change.before_count or change.after_count:
        await announce_lines(session, file, change.language, change.revision)
        await emit_captions_changed(session, file, change.language, *change.followed)


async def announce_lines(session: AsyncSession, file: File, language: str, revision: int) -> None:
    """Let the pages of everybody who has these captions open fetch what changed."""
    child = child_of(language)
    message = event(Topic.CAPTIONS, Action.CHANGED, slug=file.slug, name=file.name, child=child, revision=revision)
    add_event(session, await notice_of(session, file, message))


async def _apply(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, request: AnyEdit, plan: Plan | None
) -> Change:
    more: dict[str, Any]
    result: EditResult | LargeChange
    match request:
        case ChangeNothing():
            return await save(session, viewer, track, request.action, EditResult())
        case StepThroughHistory():
            return await step(session, viewer, track, request, plan)
        case MoveLines():
            moves = await changes.moves_of(session, track, request)
            return await save_moves(session, viewer, track, request.action, moves, command_id=request.command)
        case ChangeLines():
            more = {"label": request.label}
            if (large := fitting(plan, track)) is not None:
                result = large
            elif isinstance(plan, WritePlan) and plan.revision == track.revision + 1:
                result, more["plan"] = plan.result, plan
            else:
                result = await bulk_result(session, track, request)
        case _:
            result, more = await changes.result_of(session, track, request), {}
    growth = result.growth if isinstance(result, LargeChange) else len(result.after) - len(result.before)
    if growth > 0 and await queries.count_lines(session, track.id) + growth > LINES_MAX:
        raise EditFailed(FULL)
    return await save(session, viewer, track, request.action, result, command_id=request.command, **more)


async def lines_of_move(session: AsyncSession, change: Change) -> list[dict[str, Any]] | str:
    """The lines that a move changed, as `LineOut` in JSON. Call it after the commit: nobody waits for it.

    Many lines come as `queries.text_of_lines` reads them.
    """
    track = await session.get_one(CaptionTrack, change.track_id)
    if await is_large(session, track):
        return await queries.text_of_lines(session, track.id, revision=change.revision)
    return await _wire(session, track, await queries.stored_lines(session, track.id, revision=change.revision))


async def lines_since(session: AsyncSession, track: CaptionTrack, since: int) -> list[dict[str, Any]]:
    """The lines that changed after a revision, as `LineOut` in JSON."""
    return await _wire(session, track, await queries.stored_lines(session, track.id, since=since))


async def _wire(
    session: AsyncSession, track: CaptionTrack, rows: Sequence[Row[*tuple[Any, ...]]]
) -> list[dict[str, Any]]:
    sources = await sources_for(session, track) if rows else None
    now = await texts_of_source(session, track) if sources is not None else {}
    values, linked = await asyncio.to_thread(_values, rows, sources, now)
    if sources is not None:
        speakers = await speakers_by_source(session, track)
        values = [value | {"speaker": speakers.get(value["id"], value["speaker"])} for value in values]
    return [json_to_wire(value, row.revision, source) for row, value, source in zip(rows, values, linked, strict=True)]


async def remove_no_speech_note(session: AsyncSession, track: CaptionTrack, change: Change) -> None:
    """Remove the note that the file has no captions, once lines are added."""
    if change.before_count or not change.after_count:
        return
    without = update(File).where(File.id == track.file_id, File.engine_note == NO_SPEECH)
    await session.execute(without.values(engine_note=None).execution_options(synchronize_session=False))
