"""Tracks of captions: choose the one that a call means, lock it for a change, add one to a file."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.errors import OTHER_LANGUAGE, STILL_LIVE, LanguageTaken, NoSuchTrack
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File
from api.content.files.queries import FILE_NOT_FOUND, find
from api.content.files.transitions import UNFINISHED
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Conflict, NotFound
from pipelines.languages import whisper_code
from pipelines.messages.lines import CaptionLine


@dataclass(frozen=True, slots=True)
class TrackOfFile:
    """A file and one of its tracks. `track` is None for the transcription of a file that has none yet."""

    file: File
    track: CaptionTrack | None

    @property
    def language(self) -> str:
        return self.file.language if self.track is None else self.track.language

    @property
    def is_live(self) -> bool:
        """Whether a running transcription is going to write this track."""
        is_transcription = self.track is None or self.track.origin == TrackOrigin.TRANSCRIPTION
        return is_transcription and self.file.status in UNFINISHED


@dataclass(frozen=True, slots=True)
class TracksOfFile:
    """A file with all its tracks. `named_id` is the id that led here, when it was that of a track."""

    file: File
    tracks: Sequence[CaptionTrack]
    named_id: uuid.UUID | None = None

    def choose(self, language: str | None = None) -> TrackOfFile:
        """The track in a language. Raises `NoSuchTrack` when there is none.

        Without a language it is the track whose id led here, else the transcription. A code such as `en` also finds
        the captions in `en-US`, but never while there is a track in exactly that language.
        """
        if language is None:
            named = next((track for track in self.tracks if track.id == self.named_id), None)
            return TrackOfFile(self.file, named or self.transcription)
        chosen = self.exactly(language)
        if same_language(language, chosen.language) or same_language(language, self.file.language):
            return chosen
        similar = next((track for track in self.tracks if same_language(language, track.language)), None)
        if similar is None:
            raise NoSuchTrack.field("language", OTHER_LANGUAGE)
        return TrackOfFile(self.file, similar)

    def has(self, language: str) -> bool:
        """Whether a track, or the coming transcription, is in this language, whatever its region."""
        codes = [track.language for track in self.tracks] or [self.file.language]
        return any(same_language(language, code) for code in codes)

    def exactly(self, language: str) -> TrackOfFile:
        """The track in exactly this language, else the transcription."""
        exact = next((track for track in self.tracks if track.language == language), None)
        return TrackOfFile(self.file, exact or self.transcription)

    @property
    def transcription(self) -> CaptionTrack | None:
        return next((track for track in self.tracks if track.origin == TrackOrigin.TRANSCRIPTION), None)


async def find_tracks(session: AsyncSession, viewer: Viewer, key: str, *, hold: bool = False) -> TracksOfFile:
    """The tracks of a slug, a file id or a track id. Raises `NotFound` also when the file is somebody else's.

    With `hold` the file stays locked until the transaction ends. That locks its tracks too, because every change of
    captions locks the file first.
    """
    try:
        return await tracks_of(session, await find(session, viewer, key, hold=hold))
    except NotFound:
        try:
            track_id = uuid.UUID(key)
        except ValueError:
            raise NotFound(FILE_NOT_FOUND) from None
        is_there = (CaptionTrack.id == track_id, CaptionTrack.deleted_at.is_(None))
        file_id = await session.scalar(select(CaptionTrack.file_id).where(*is_there))
        if file_id is None:
            raise
    file = await find(session, viewer, str(file_id), hold=hold)
    return replace(await tracks_of(session, file), named_id=track_id)


async def tracks_of(session: AsyncSession, file: File) -> TracksOfFile:
    statement = (
        select(CaptionTrack)
        .where(CaptionTrack.file_id == file.id, CaptionTrack.deleted_at.is_(None))
        .order_by(CaptionTrack.created_at)
    )
    return TracksOfFile(file, (await session.scalars(statement)).all())


async def track_to_change(session: AsyncSession, chosen: TrackOfFile) -> CaptionTrack:
    """The track of a file that the caller has locked. Add the transcription when nobody has written captions yet.

    Raises `Conflict` while the file is being transcribed.
    """
    if chosen.is_live:
        raise Conflict(STILL_LIVE)
    if chosen.track is not None:
        return chosen.track
    return await add_track(session, chosen.file, chosen.language, TrackOrigin.TRANSCRIPTION)


async def add_track(
    session: AsyncSession,
    file: File,
    language: str,
    origin: TrackOrigin,
    lines: Sequence[CaptionLine] = (),
    *,
    source: CaptionTrack | None = None,
    engine: Mapping[str, Any] | None = None,
) -> CaptionTrack:
    """Add a track, made from the newest state of `source`, to a file the caller has locked. Raises `LanguageTaken`."""
    await require_free(session, file.id, language)
    track = CaptionTrack(
        file_id=file.id,
        language=language,
        origin=origin,
        source_track_id=None if source is None else source.id,
        source_revision=None if source is None else source.revision,
        engine=dict(engine or {}),
    )
    session.add(track)
    await session.flush()
    await insert_lines(session, track.id, lines, revision=0)
    return track


async def require_free(
    session: AsyncSession, file_id: uuid.UUID, language: str, *, besides: CaptionTrack | None = None
) -> None:
    """Raises `LanguageTaken` when another track of the file than `besides` has the language.

    A deleted translation makes room for good.
    """
    same = (CaptionTrack.file_id == file_id, CaptionTrack.language == language)
    await session.execute(delete(CaptionTrack).where(*same, CaptionTrack.deleted_at.is_not(None)))
    taken_by = await session.scalar(select(CaptionTrack.id).where(*same))
    if taken_by is not None and (besides is None or taken_by != besides.id):
        raise LanguageTaken(language)


async def source_language(session: AsyncSession, track: CaptionTrack) -> str | None:
    """The language that a translation was made from; None for other tracks."""
    if track.source_track_id is None:
        return None
    return await session.scalar(select(CaptionTrack.language).where(CaptionTrack.id == track.source_track_id))


def same_language(one: str, other: str) -> bool:
    return one == other or whisper_code(one) == whisper_code(other) is not None


async def captions_language(session: AsyncSession, file: File) -> str | None:
    """The language of a file's transcription; None when it has none."""
    is_transcription = CaptionTrack.origin == TrackOrigin.TRANSCRIPTION
    statement = select(CaptionTrack.language).where(CaptionTrack.file_id == file.id, is_transcription)
    return await session.scalar(statement)
