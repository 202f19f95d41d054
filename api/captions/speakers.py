"""Who speaks in a file, and what each speaker is called: read for pages and downloads, replaced by a change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.models import Speaker
from pipelines.captions.speaker_names import shown_name

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
