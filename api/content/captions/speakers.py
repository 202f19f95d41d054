"""Who speaks in a file, and what each speaker is called: read for pages and downloads, replaced by a change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionLink, CaptionTrack, Speaker
from pipelines.captions.texts.speaker_names import shown_name

_COLUMNS = ("label", "name", "colour", "sample_start_ms", "sample_end_ms")


async def speakers_of(session: AsyncSession, file_id: uuid.UUID) -> Sequence[Speaker]:
    """The speakers of a file, the first to speak first."""
    rows = (await session.scalars(select(Speaker).where(Speaker.file_id == file_id))).all()
    return sorted(rows, key=lambda speaker: number_of(speaker.label))


async def names_of(session: AsyncSession, file_id: uuid.UUID) -> Mapping[str, str]:
    """What each label of a file is called on screen and in files."""
    return {speaker.label: shown_name(speaker.label, speaker.name) for speaker in await speakers_of(session, file_id)}


def number_of(label: str) -> int:
    """The number in a canonical label: 2 for `S2`."""
    return int(label.removeprefix("S"))


def speakers_to_json(speakers: Sequence[Speaker]) -> list[dict[str, Any]]:
    """Speakers as a revision stores them."""
    return [{column: getattr(speaker, column) for column in _COLUMNS} for speaker in speakers]


async def replace_speakers(session: AsyncSession, file_id: uuid.UUID, values: Sequence[Mapping[str, Any]]) -> None:
    """Write the speakers of a file, given as by `speakers_to_json`. The caller has locked the file."""
    await session.execute(
        delete(Speaker).where(Speaker.file_id == file_id).execution_options(synchronize_session="fetch")
    )
    if values:
        await session.execute(insert(Speaker), [{**value, "file_id": file_id} for value in values])


async def speakers_by_source(session: AsyncSession, track: CaptionTrack) -> Mapping[str, str]:
    """Who speaks the lines of a translation, by their ids: whoever speaks the first source line of each."""
    statement = (
        select(CaptionLink.target_id, CaptionLineRow.speaker)
        .join(CaptionLineRow, CaptionLineRow.id == CaptionLink.source_id)
        .where(CaptionLink.track_id == track.id, CaptionLink.position == 0, CaptionLineRow.speaker.is_not(None))
    )
    rows = (await session.execute(statement)).tuples()
    return {str(line_id): speaker for line_id, speaker in rows if speaker is not None}
