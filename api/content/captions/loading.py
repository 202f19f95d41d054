"""Load the captions of a track: written ones, a draft, and the lines that changed since a revision."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.editing.large_command import is_large
from api.content.captions.editing.saving import Change
from api.content.captions.history import History
from api.content.captions.links import Sources, source_to_wire, texts_now, texts_of_source
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import sources_for
from api.content.captions.speakers import speakers_by_source
from api.content.captions.speech.draft import draft_of, draft_of_translation
from api.content.captions.speech.runs import open_run
from api.content.captions.stored.rows import line_of_stored
from api.content.captions.tracks import TrackOfFile, TracksOfFile, find_tracks, source_language
from api.content.captions.wire import json_to_wire
from api.content.files.models import File
from api.people.auth.viewer import Viewer
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.messages.lines import CaptionLine


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
