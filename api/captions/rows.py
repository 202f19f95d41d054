"""Caption lines as rows and as values."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.models import CaptionLineRow
from pipelines.captions.edit import EditResult
from pipelines.captions.json_form import word_from_json, word_to_json
from pipelines.captions.lines import CaptionLine

# SQLite takes at most 32,766 values in a statement.
_BATCH = 500


def line_of(row: CaptionLineRow) -> CaptionLine:
    words = tuple(word_from_json(word) for word in row.words)
    return CaptionLine(str(row.id), row.start_ms, row.end_ms, row.text, words, tuple(row.doubts))


def json_of(row: CaptionLineRow) -> dict[str, Any]:
    """The row in the JSON form of a line, which its columns have already."""
    return {
        "id": str(row.id),
        "start_ms": row.start_ms,
        "end_ms": row.end_ms,
        "text": row.text,
        "words": row.words,
        "doubts": row.doubts,
    }


async def insert_lines(
    session: AsyncSession, transcription_id: uuid.UUID, lines: Sequence[CaptionLine], *, revision: int
) -> None:
    values = [_values(line, transcription_id, revision) for line in lines]
    for start in range(0, len(values), _BATCH):
        await session.execute(insert(CaptionLineRow), values[start : start + _BATCH])


async def write_result(
    session: AsyncSession, transcription_id: uuid.UUID, result: EditResult, *, revision: int
) -> None:
    """Make the rows what the edit made of its lines."""
    touched = [uuid.UUID(line.id) for line in (*result.before, *result.after)]
    for start in range(0, len(touched), _BATCH):
        batch = CaptionLineRow.id.in_(touched[start : start + _BATCH])
        # The transcription is named too: an id alone would reach lines of another file.
        await session.execute(
            delete(CaptionLineRow)
            .where(batch, CaptionLineRow.transcription_id == transcription_id)
            .execution_options(synchronize_session=False)
        )
    await insert_lines(session, transcription_id, result.after, revision=revision)


def _values(line: CaptionLine, transcription_id: uuid.UUID, revision: int) -> dict[str, Any]:
    return {
        "id": uuid.UUID(line.id),
        "transcription_id": transcription_id,
        "start_ms": line.start_ms,
        "end_ms": line.end_ms,
        "text": line.text,
        "words": [word_to_json(word) for word in line.words],
        "doubts": list(line.doubts),
        "revision": revision,
    }
