"""Captions of several files as one ZIP file. It is written while it is sent, one file at a time."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.links import is_linked
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.captions.reading import all_lines
from api.content.captions.speakers import names_of, speakers_by_source
from api.content.captions.subtitle_files.downloads import DEFAULT_FPS, drawing_of
from api.content.captions.tracks import find_tracks
from api.content.files.models import File
from api.content.files.queries import FILE_NOT_FOUND
from api.content.files.transitions import UNFINISHED
from api.content.styles.service import style_of
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from api.platform.db.expressions import in_list
from api.platform.http.downloads.names import ArchiveNames
from api.platform.http.downloads.zip_stream import Entry
from api.platform.http.errors import Invalid, NotFound
from api.platform.http.pages.language import in_page_language
from cluster.wording.message import Message
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import FORM_OF, write
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.messages.lines import CaptionLine

ARCHIVE_FILES_MAX = 100
"""Files in one archive. Their ids travel in the address."""

NO_CAPTIONS = Message("captions.archive_no_captions", "None of these files has captions yet.")
README = "README.txt"
LEFT_OUT = Message("captions.left_out", "These files are not in this archive:")
IS_TRANSCRIBED = Message("captions.is_transcribed", "it is still being transcribed")
HAS_NONE = Message("captions.has_none", "it has no captions")
WAS_DELETED = Message("captions.was_deleted", "A file was deleted before its turn came.")


@dataclass(frozen=True, slots=True)
class ArchiveChoice:
    """What goes into the archive. Without `translations` it is the transcription of each file alone."""

    form: CaptionFormat
    translations: bool
    speakers: SpeakerStyle


async def require_captions(
    session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID], choice: ArchiveChoice
) -> None:
    """Raise `NotFound` unless the viewer sees all files, and `Invalid` when none of them has captions to write."""
    here = in_list(session, File.id, ids)
    if await session.scalar(select(func.count()).select_from(File).where(here, may_see(viewer, File))) != len(set(ids)):
        raise NotFound(FILE_NOT_FOUND)
    has_lines = exists().where(CaptionLineRow.track_id == CaptionTrack.id)
    statement = select(CaptionTrack.id).where(
        in_list(session, CaptionTrack.file_id, ids), CaptionTrack.deleted_at.is_(None), has_lines
    )
    if not choice.translations:
        statement = statement.where(CaptionTrack.origin == TrackOrigin.TRANSCRIPTION)
    if await session.scalar(statement.limit(1)) is None:
        raise Invalid.field("ids", NO_CAPTIONS)


async def archive(
    database: Database, viewer: Viewer, ids: Sequence[uuid.UUID], choice: ArchiveChoice
) -> AsyncIterator[Entry]:
    """The files of the archive, in the order of the ids. Those that are left out are named in a last one.

    Each file is read in a transaction of its own, under the rights that the viewer has then.
    """
    names = ArchiveNames()
    left_out: list[str] = []
    for file_id in dict.fromkeys(ids):
        try:
            written = [content async for content in _of_file(database, viewer, file_id, choice, left_out)]
        except NotFound:
            left_out.append(WAS_DELETED)
            continue
        for name, language, content in written:
            yield Entry(names.unique(name, f".{language}{FORM_OF[choice.form].suffix}"), _whole(content))
    if left_out:
        yield Entry(README, _whole("\r\n".join((in_page_language(LEFT_OUT), "", *left_out, "")).encode()))


async def _of_file(
    database: Database, viewer: Viewer, file_id: uuid.UUID, choice: ArchiveChoice, left_out: list[str]
) -> AsyncIterator[tuple[str, str, bytes]]:
    """Name, language and content of each track of a file. Raises `NotFound`."""
    async with database.read() as session:
        found = await find_tracks(session, viewer, str(file_id))
        speakers = await names_of(session, file_id)
        file, tracks = found.file, found.tracks if choice.translations else [found.transcription]
        name, is_unfinished, fps = file.name, file.status in UNFINISHED, file.fps or DEFAULT_FPS
        drawing = drawing_of(file, (await style_of(session, file)).style)
        read = [(track.language, await _spoken_lines(session, track)) for track in tracks if track is not None]
    written = [(language, lines) for language, lines in read if lines]
    if not written:
        left_out.append(f"{name}: {in_page_language(IS_TRANSCRIBED if is_unfinished else HAS_NONE)}.")
    for language, lines in written:
        document = Document(lines, language, speakers, choice.speakers, name, fps, *drawing)
        yield name, language, await asyncio.to_thread(write, choice.form, document)


async def _spoken_lines(session: AsyncSession, track: CaptionTrack) -> list[CaptionLine]:
    """The lines of a track, those of a translation with the speakers of the captions that it follows."""
    lines = await all_lines(session, track)
    speakers = await speakers_by_source(session, track) if is_linked(track) else {}
    return [replace(line, speaker=speakers.get(line.id, line.speaker)) for line in lines] if speakers else lines


async def _whole(content: bytes) -> AsyncIterator[bytes]:
    yield content
