"""Puts what was said live behind the lines of the file's captions, which people may be changing meanwhile."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.actions import LIVE
from api.content.captions.editing.announcing import announce_lines
from api.content.captions.editing.writing import write
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.captions.tracks import add_track, tracks_of
from api.content.files.models import File
from api.people.auth.viewer import Author
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.line_builder import lines_from_segments
from pipelines.messages.caption_rules import CaptionRules, rules_for
from pipelines.messages.lines import CaptionLine, LinePlace
from pipelines.messages.results import TranscribedWindow

NOBODY = Author(None)
_ABOVE = LinePlace(8)


async def append_passage(session: AsyncSession, file: File, passage: TranscribedWindow) -> None:
    """Add the lines of a passage to the transcription of a file that the caller has locked."""
    rules = rules_for(file.language)
    lines = await asyncio.to_thread(lines_from_segments, passage.segments, rules, file.language)
    lines = [replace(line, id=str(uuid.uuid4())) for line in lines]
    if not lines:
        return
    track = (await tracks_of(session, file)).transcription
    if track is None:
        await add_track(session, file, file.language, TrackOrigin.TRANSCRIPTION, lines)
        await announce_lines(session, file, file.language, 0)
        return
    placed = _placed(lines, await _taken(session, track, lines), rules)
    result = await write(session, NOBODY, track, LIVE, EditResult((), tuple(placed)), is_kept=False)
    for language in (track.language, *result.languages):
        await announce_lines(session, file, language, track.revision)


async def _taken(session: AsyncSession, track: CaptionTrack, lines: Sequence[CaptionLine]) -> Sequence[tuple[int, int]]:
    """When lines of the track are on screen that reach into the time of these."""
    statement = (
        select(CaptionLineRow.start_ms, CaptionLineRow.end_ms)
        .where(
            CaptionLineRow.track_id == track.id,
            CaptionLineRow.end_ms > lines[0].start_ms,
            CaptionLineRow.start_ms < lines[-1].end_ms,
        )
        .order_by(CaptionLineRow.start_ms)
    )
    return [(start, end) for start, end in (await session.execute(statement)).tuples()]


def _placed(lines: Sequence[CaptionLine], taken: Sequence[tuple[int, int]], rules: CaptionRules) -> list[CaptionLine]:
    """The lines where there is room for them: a little later behind a line before, else at the top of the picture."""
    placed = []
    for line in lines:
        over = [span for span in taken if span[0] < line.end_ms and span[1] > line.start_ms]
        earliest = max((end for _, end in over), default=0) + rules.gap_ms
        if over and earliest < line.end_ms and line.end_ms - earliest >= line.duration_ms // 2:
            line = replace(line, start_ms=earliest)
        elif over:
            line = replace(line, place=_ABOVE)
        placed.append(line)
    return placed
