"""Replace all lines of a track by those of a subtitle file."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import IMPORT
from api.content.captions.after_change import announce, remove_no_speech_note
from api.content.captions.editing.following import linked_lines
from api.content.captions.editing.large_command import CaptionsMovedOn, Plan, is_large, run_command
from api.content.captions.editing.saving import Change, save
from api.content.captions.editing.writing import WritePlan, write_plan
from api.content.captions.large import tools
from api.content.captions.large.change import LargeChange, LargeWork
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.speakers import names_of, replace_speakers, speakers_by_source, speakers_of, speakers_to_json
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.subtitle_files.imports import Heard, read_file, speakers_after
from api.content.captions.tracks import find_tracks, track_to_change
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.replacement import replacement
from pipelines.captions.forms.form import USUAL_READING, Reading
from pipelines.captions.imports.answer import ReadFile
from pipelines.messages.lines import CaptionLine

RACE = Message(
    "captions.file_import_race",
    "Somebody keeps changing these captions, so the file was not imported. Try again in a moment.",
)


async def import_file(
    database: Database,
    viewer: Viewer,
    key: str,
    raw: bytes,
    language: str | None = None,
    *,
    reading: Reading = USUAL_READING,
) -> tuple[Change, tuple[str, ...]]:
    """Replace all lines by those of a subtitle file, as one change. Also return notes on how they differ from the file.

    A text without times takes those of the words that were heard.

    The file is read and compared with the old lines before the write begins, and compared again if somebody saved a
    change meanwhile. Speakers that the file names are added to the file's. Raises `EditFailed`, and `Conflict` when
    that happens at every attempt.
    """
    async with database.read() as session:
        spoken = (await find_tracks(session, viewer, key)).choose(language).language
    heard = partial(_heard, database, viewer, key, language)
    command = _Import(viewer, key, language, await read_file(raw, spoken, heard, reading))
    return await run_command(database, viewer, command.read, command.write, race=RACE), command.file.notes


async def _heard(database: Database, viewer: Viewer, key: str, language: str | None) -> Heard:
    """What was heard in transcribed captions. A translation has nothing of it: nobody speaks it."""
    async with database.read() as session:
        tracks = await find_tracks(session, viewer, key)
        track = tracks.choose(language).track
        if track is None or is_linked(track):
            return Heard("[]", {})
        return Heard(await queries.text_of_lines(session, track.id), await names_of(session, tracks.file.id))


class _Import:
    """The import of one file: what its last read found, and the write that fits it."""

    def __init__(self, viewer: Viewer, key: str, language: str | None, file: ReadFile) -> None:
        self._viewer = viewer
        self._key = key
        self._language = language
        self.file = file
        self._track_id: uuid.UUID | None = None
        self._revision = 0
        self._result = EditResult()
        self._spoken_before: list[dict[str, Any]] = []
        self._spoken_after: Sequence[Mapping[str, Any]] = []

    async def read(self, session: AsyncSession) -> LargeWork | WritePlan | None:
        # Read the revision first: the check in `write` then detects a change saved between the two reads.
        tracks = await find_tracks(session, self._viewer, self._key)
        track = tracks.choose(self._language).track
        self._track_id, self._revision = (None, 0) if track is None else (track.id, track.revision)
        # The speakers of a translation are those of the captions that it follows, if these name any.
        follows = track is not None and is_linked(track) and bool(await speakers_by_source(session, track))
        has_speakers = bool(self.file.speakers) and not follows
        self._spoken_before = speakers_to_json(await speakers_of(session, tracks.file.id)) if has_speakers else []
        self._spoken_after, labels = speakers_after(self._spoken_before, self.file.speakers if has_speakers else {})
        if track is not None and await is_large(session, track, new_lines=self.file.lines):
            lines = await queries.text_of_lines(session, track.id)
            tool = partial(tools.import_file, imported=self.file.body, labels=labels, has_speakers=has_speakers)
            return LargeWork(tool, track.id, self._revision + 1, lines, is_sqlite(session))
        before = [] if track is None else await all_lines(session, track)
        imported = await asyncio.to_thread(self.file.imported)
        self._result = await asyncio.to_thread(replacement, before, imported, labels, has_speakers=has_speakers)
        if track is None:
            return None
        self._result = await _linked(session, track, before, self._result)
        make = partial(write_plan, sqlite=is_sqlite(session), before=before)
        return await asyncio.to_thread(make, self._result, track.id, self._revision + 1)

    async def write(self, session: AsyncSession, plan: Plan | None) -> Change:
        tracks = await find_tracks(session, self._viewer, self._key, hold=True)
        newest = await track_to_change(session, tracks.choose(self._language))
        if newest.revision != self._revision or (self._track_id is not None and newest.id != self._track_id):
            raise CaptionsMovedOn
        more: dict[str, Any] = {}
        if self._spoken_after != self._spoken_before:
            if speakers_to_json(await speakers_of(session, tracks.file.id)) != self._spoken_before:
                raise CaptionsMovedOn
            more = {"speakers_before": self._spoken_before, "speakers_after": self._spoken_after}
            await replace_speakers(session, tracks.file.id, self._spoken_after)
        if isinstance(plan, LargeChange):
            change = await save(session, self._viewer, newest, IMPORT, plan, **more)
        else:
            change = await save(session, self._viewer, newest, IMPORT, self._result, plan=plan, **more)
        await remove_no_speech_note(session, newest, change)
        await announce(session, tracks.file, change)
        return change


async def _linked(
    session: AsyncSession, track: CaptionTrack, before: Sequence[CaptionLine], result: EditResult
) -> EditResult:
    """The import into a translation: its lines are linked to the source lines at their time, and a person's."""
    if not is_linked(track):
        return result
    old = {line.id: line for line in before}
    linked = await linked_lines(session, track, result.after, replaced=result.before)
    return EditResult(result.before, tuple(_as_before(line, old.get(line.id)) for line in linked))


def _as_before(line: CaptionLine, old: CaptionLine | None) -> CaptionLine:
    """An imported line that has its old text and sources keeps its link too: only its times are new."""
    if old is None or old.link is None or line.link is None or old.text != line.text:
        return line
    same = [source.id for source in old.link.sources] == [source.id for source in line.link.sources]
    return replace(line, link=old.link) if same else line
