"""Captions as they are, and every change to them: one revision each, refused when it is made on an old state."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions import changes, queries
from api.captions.actions import IMPORT, CaptionAction
from api.captions.draft import draft_of
from api.captions.errors import CHANGED_SINCE, STILL_LIVE, EditFailed, StaleEdit
from api.captions.history import History
from api.captions.jobs import NO_SPEECH
from api.captions.models import CaptionRevision, Transcription
from api.captions.rows import json_of, line_of, write_result
from api.captions.schemas import CaptionEdit
from api.files.models import File
from api.files.queries import find
from api.files.transitions import UNFINISHED
from api.http.errors import Conflict
from pipelines.captions.edit import EditRefused, EditResult
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import UnreadableSubtitles
from pipelines.captions.subtitles import parse_subtitles
from pipelines.languages import whisper_code

OTHER_LANGUAGE = "This file has no captions in that language."
NOTHING_TO_UNDO = "There is nothing to undo."
NOTHING_TO_REDO = "There is nothing to redo."
EMPTY_IMPORT = "This file holds no captions, so nothing was changed."


@dataclass(frozen=True, slots=True)
class Captions:
    """All captions of a file at one moment, in the JSON form of lines. `revisions` holds each line's own, in order.

    `is_live`: they are still being heard; `values` begin at line `first_line`; `draft` is the token to ask for more.
    `is_written`: there is a transcription, which `id` names and people change.
    """

    id: uuid.UUID
    file: File
    language: str
    revision: int
    is_live: bool
    is_written: bool
    values: list[dict[str, Any]]
    revisions: list[int]
    history: History = field(default_factory=History)
    first_line: int = 0
    draft: str | None = None

    @property
    def texts(self) -> list[CaptionLine]:
        """The lines without their words: all that a subtitle file needs, at a tenth of the cost."""
        return [CaptionLine(each["id"], each["start_ms"], each["end_ms"], each["text"]) for each in self.values]


@dataclass(frozen=True, slots=True)
class Change:
    """A saved change and the revision it made; an empty `result` made none."""

    revision: int
    language: str
    result: EditResult
    can_undo: bool
    can_redo: bool


async def load(session: AsyncSession, viewer: Viewer, key: str, since: str | None = None) -> Captions:
    """The captions of a file the viewer may see; those heard so far while it is being transcribed."""
    captions = await of_file(session, await find(session, viewer, key), since)
    if captions.is_written:
        return replace(captions, history=await queries.history(session, captions.id))
    return captions


async def of_file(session: AsyncSession, file: File, since: str | None = None) -> Captions:
    """The same without their history."""
    transcription = await queries.transcription_of(session, file)
    if transcription is None or file.status in UNFINISHED:
        is_live = file.status in UNFINISHED
        if not is_live:
            return Captions(file.id, file, file.language, 0, False, False, [], [])
        draft = await draft_of(session, file, since)
        values = [line_to_json(line) for line in draft.lines]
        return Captions(
            *(file.id, file, file.language, 0, True, False, values, [0] * len(values)),
            first_line=draft.first,
            draft=draft.token,
        )
    rows = await queries.all_lines(session, transcription.id)
    return Captions(
        transcription.id,
        file,
        transcription.language,
        transcription.revision,
        False,
        True,
        [json_of(row) for row in rows],
        [row.revision for row in rows],
    )


async def edit(session: AsyncSession, viewer: Viewer, key: str, asked: CaptionEdit) -> Change:
    """Save one change. Raises `StaleEdit` when the editor has not seen the line's newest text, else `EditFailed`."""
    transcription = await _locked(session, await find(session, viewer, key))
    if asked.command is not None and (saved := await _saved(session, transcription, asked.command)) is not None:
        return saved
    if asked.language is not None and whisper_code(asked.language) != whisper_code(transcription.language):
        raise EditFailed.field("language", OTHER_LANGUAGE)
    if asked.action is CaptionAction.UNDO or asked.action is CaptionAction.REDO:
        return await _step(session, viewer, transcription, asked)
    try:
        result = await changes.result_of(session, transcription, asked)
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused
    return await _save(session, viewer, transcription, asked.action, result, asked.command)


async def read_subtitles(session: AsyncSession, viewer: Viewer, key: str, raw: bytes) -> list[CaptionLine]:
    """The lines of a subtitle file, in whatever form and encoding; the file's language helps to tell the encoding."""
    file = await find(session, viewer, key)
    try:
        lines = await asyncio.to_thread(parse_subtitles, raw, file.language)
    except UnreadableSubtitles as unreadable:
        raise EditFailed(str(unreadable)) from unreadable
    if not lines:
        raise EditFailed(EMPTY_IMPORT)
    return lines


async def replace_all(session: AsyncSession, viewer: Viewer, key: str, lines: Sequence[CaptionLine]) -> Change:
    """Put the lines in the place of all others, as one change that can be undone."""
    transcription = await _locked(session, await find(session, viewer, key))
    before = [line_of(row) for row in await queries.all_lines(session, transcription.id)]
    return await _save(session, viewer, transcription, IMPORT, changes.imported(before, lines))


async def _locked(session: AsyncSession, file: File) -> Transcription:
    """The file's transcription, held until the transaction ends; made when the file was never transcribed."""
    if file.status in UNFINISHED:
        raise Conflict(STILL_LIVE)
    # The file's row is held as well: two first edits at once must not make two transcriptions.
    await session.execute(select(File.id).where(File.id == file.id).with_for_update())
    statement = select(Transcription).where(Transcription.file_id == file.id).with_for_update()
    transcription = (await session.scalars(statement)).one_or_none()
    if transcription is None:
        transcription = Transcription(file_id=file.id, language=file.language)
        session.add(transcription)
        await session.flush()
    return transcription


async def _step(session: AsyncSession, viewer: Viewer, transcription: Transcription, asked: CaptionEdit) -> Change:
    history = await queries.history(session, transcription.id)
    is_undo = asked.action is CaptionAction.UNDO
    if asked.issued < transcription.revision:
        raise StaleEdit(CHANGED_SINCE, revision=transcription.revision)
    waiting = history.done if is_undo else history.undone
    if not waiting:
        raise EditFailed(NOTHING_TO_UNDO if is_undo else NOTHING_TO_REDO)
    revision = await queries.revision(session, transcription.id, waiting[-1])
    made = EditResult(_lines(revision.before), _lines(revision.after))
    revision.undone = is_undo
    language = revision.language_before if is_undo else revision.language_after
    if language is not None:
        transcription.language = language
        await session.execute(update(File).where(File.id == transcription.file_id).values(language=language))
    result = made.undone() if is_undo else made
    return await _save(session, viewer, transcription, asked.action, result, asked.command)


async def _has_captions(session: AsyncSession, transcription: Transcription) -> None:
    """Lines were written: a note that the file has none is no longer true."""
    without = update(File).where(File.id == transcription.file_id, File.engine_note == NO_SPEECH)
    await session.execute(without.values(engine_note=None).execution_options(synchronize_session=False))


async def _saved(session: AsyncSession, transcription: Transcription, command: uuid.UUID) -> Change | None:
    """What a command did that was saved before: its answer got lost, and nothing is applied twice."""
    revision = await queries.revision_of(session, transcription.id, command)
    if revision is None:
        return None
    history = await queries.history(session, transcription.id)
    result = EditResult(_lines(revision.before), _lines(revision.after))
    return Change(revision.number, transcription.language, result, bool(history.done), bool(history.undone))


async def _save(
    session: AsyncSession,
    viewer: Viewer,
    transcription: Transcription,
    action: str,
    result: EditResult,
    command: uuid.UUID | None = None,
) -> Change:
    if result.before or result.after:
        transcription.revision += 1
        session.add(
            CaptionRevision(
                transcription_id=transcription.id,
                number=transcription.revision,
                user_id=viewer.user_id,
                action=action,
                command_id=command,
                before=[line_to_json(line) for line in result.before],
                after=[line_to_json(line) for line in result.after],
            )
        )
        await session.flush()
        await write_result(session, transcription.id, result, revision=transcription.revision)
        if not result.before:
            await _has_captions(session, transcription)
        if action not in (CaptionAction.UNDO, CaptionAction.REDO):
            return Change(transcription.revision, transcription.language, result, can_undo=True, can_redo=False)
    history = await queries.history(session, transcription.id)
    return Change(transcription.revision, transcription.language, result, bool(history.done), bool(history.undone))


def _lines(values: Sequence[object]) -> tuple[CaptionLine, ...]:
    return tuple(line_from_json(value) for value in values if isinstance(value, dict))
