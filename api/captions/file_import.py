"""Replace all lines of a track by those of a subtitle file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions.actions import IMPORT
from api.captions.following import linked_lines
from api.captions.imports import read_file, replacement, speakers_after
from api.captions.links import is_linked
from api.captions.models import CaptionTrack
from api.captions.reading import all_lines
from api.captions.saving import Change, save
from api.captions.service import announce, remove_no_speech_note
from api.captions.speakers import replace_speakers, speakers_by_source, speakers_of, speakers_to_json
from api.captions.tracks import find_tracks, track_to_change
from api.captions.writing import write_plan
from api.db.engine import Database
from api.http.errors import Conflict
from pipelines.captions.edit import EditResult
from pipelines.captions.lines import CaptionLine

RACE = "Somebody keeps changing these captions, so the file was not imported. Try again in a moment."
_ATTEMPTS = 3


async def import_file(
    database: Database,
    viewer: Viewer,
    key: str,
    raw: bytes,
    language: str | None = None,
    *,
    fps: float | None = None,
) -> tuple[Change, tuple[str, ...]]:
    """Replace all lines by those of a subtitle file, as one change. Also return notes on how they differ from the file.

    The file is read and compared with the old lines before the write begins, and compared again if somebody saved a
    change meanwhile. `fps`: frames per second where the file counts frames, None for its own. Speakers that the file
    names are added to the file's. Raises `EditFailed`, and `Conflict` when that happens at every attempt.
    """
    async with database.read() as session:
        spoken = (await find_tracks(session, viewer, key)).choose(language).language
    imported = await read_file(raw, spoken, fps)
    for _ in range(_ATTEMPTS):
        async with database.read() as session:
            # Read the revision first: the check below then detects a change saved between the two reads.
            track = (await find_tracks(session, viewer, key)).choose(language).track
            revision = 0 if track is None else track.revision
            before = [] if track is None else await all_lines(session, track)
            # The speakers of a translation are those of the captions that it follows, if these name any.
            follows = track is not None and is_linked(track) and bool(await speakers_by_source(session, track))
            has_speakers = bool(imported.speakers) and not follows
            file_id = (await find_tracks(session, viewer, key)).file.id
            spoken_before = speakers_to_json(await speakers_of(session, file_id)) if has_speakers else []
            spoken_after, labels = speakers_after(spoken_before, imported.speakers if has_speakers else {})
            result = await asyncio.to_thread(replacement, before, imported, labels, has_speakers=has_speakers)
            if track is not None:
                result = await _linked(session, track, before, result)
        plan = None
        if track is not None:
            make = partial(write_plan, sqlite=database.is_sqlite, before=before)
            plan = await asyncio.to_thread(make, result, track.id, revision + 1)
        async with database.write() as session:
            tracks = await find_tracks(session, viewer, key, hold=True)
            newest = await track_to_change(session, tracks.choose(language))
            if newest.revision != revision or (track is not None and newest.id != track.id):
                continue
            more: dict[str, Any] = {}
            if spoken_after != spoken_before:
                if speakers_to_json(await speakers_of(session, tracks.file.id)) != spoken_before:
                    continue
                more = {"speakers_before": spoken_before, "speakers_after": spoken_after}
                await replace_speakers(session, tracks.file.id, spoken_after)
            change = await save(session, viewer, newest, IMPORT, result, plan=plan, **more)
            await remove_no_speech_note(session, newest, change)
            await announce(session, tracks.file, change)
        return change, imported.notes
    raise Conflict(RACE)


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
