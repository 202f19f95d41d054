from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Text, cast, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.actions import MEASURE
from api.content.captions.history import History, replay
from api.content.captions.models import CaptionLineRow, CaptionRevision, CaptionTrack
from api.content.captions.stored.rows import STORED
from api.content.captions.stored.spans import lane_of_stored
from pipelines.captions.limits import HISTORY_BYTES_MAX, HISTORY_STEPS_MAX
from pipelines.messages.lines import CaptionLine, Lane


async def stored_lines(
    session: AsyncSession,
    track_id: uuid.UUID,
    *,
    revision: int | None = None,
    since: int | None = None,
    most: int | None = None,
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The lines in time order, as columns of `STORED`.

    With `revision`, only the lines it changed last; with `since`, those that a later revision changed; with `most`, at
    most so many, from the first one on.
    """
    statement = (
        select(*STORED).where(CaptionLineRow.track_id == track_id).order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
    )
    if revision is not None:
        statement = statement.where(CaptionLineRow.revision == revision)
    if since is not None:
        statement = statement.where(CaptionLineRow.revision > since)
    if most is not None:
        statement = statement.limit(most)
    return (await session.execute(statement)).all()


async def text_of_lines(session: AsyncSession, track_id: uuid.UUID, *, revision: int | None = None) -> str:
    """The lines in time order as one text, which `pipelines.captions.texts.stored_lines` reads.

    The database writes it, so the web process has one value to read instead of 20,000 rows. `revision` as for
    `stored_lines`.
    """
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    values = {"track": track_id.hex if is_sqlite else track_id, "revision": revision}
    which = "track_id = :track" + ("" if revision is None else " AND revision = :revision")
    statement = (_TEXT_ON_SQLITE if is_sqlite else _TEXT_ON_POSTGRESQL).format(which=which)
    return await session.scalar(text(statement), values) or "[]"


_TEXT_ON_SQLITE = (
    "SELECT json_group_array(json_array(id, start_ms, end_ms, text, json(words), words_shift_ms, json(doubts), speaker,"
    " json(place), locked, forced, revision)) FROM (SELECT * FROM caption_lines WHERE {which} ORDER BY start_ms, id)"
)
_TEXT_ON_POSTGRESQL = (
    "SELECT CAST(json_agg(json_build_array(id, start_ms, end_ms, text, words, words_shift_ms, doubts, speaker, place,"
    " locked, forced, revision) ORDER BY start_ms, id) AS text) FROM caption_lines WHERE {which}"
)


async def texts_of(session: AsyncSession, track_id: uuid.UUID) -> list[CaptionLine]:
    """The lines in time order without their words, which is all a subtitle file needs."""
    columns = (CaptionLineRow.id, CaptionLineRow.start_ms, CaptionLineRow.end_ms, CaptionLineRow.text)
    statement = (
        select(*columns).where(CaptionLineRow.track_id == track_id).order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
    )
    return [CaptionLine(str(row.id), row.start_ms, row.end_ms, row.text) for row in await session.execute(statement)]


async def count_lines(session: AsyncSession, track_id: uuid.UUID) -> int:
    statement = select(func.count()).where(CaptionLineRow.track_id == track_id)
    return await session.scalar(statement) or 0


async def lines_within(
    session: AsyncSession, track_id: uuid.UUID, start_ms: int, end_ms: int
) -> Sequence[CaptionLineRow]:
    """The lines that overlap the span, in time order."""
    statement = (
        select(CaptionLineRow)
        .where(
            CaptionLineRow.track_id == track_id,
            CaptionLineRow.start_ms < end_ms,
            CaptionLineRow.end_ms > start_ms,
        )
        .order_by(CaptionLineRow.start_ms)
    )
    return (await session.scalars(statement)).all()


async def neighbours(session: AsyncSession, row: CaptionLineRow) -> Sequence[CaptionLineRow]:
    """The line before, the line itself and the line after in its lane, as far as they exist."""
    lane = lane_of_stored(row.place)
    start = CaptionLineRow.start_ms
    before = await _first_in_lane(session, row.track_id, start < row.start_ms, start.desc(), lane)
    after = await _first_in_lane(session, row.track_id, start > row.start_ms, start.asc(), lane)
    return [each for each in (before, row, after) if each is not None]


_SOON = 20
"""Lines among which the next one of a lane nearly always is."""


async def _first_in_lane(
    session: AsyncSession, track_id: uuid.UUID, which: ColumnElement[bool], order: ColumnElement[int], lane: Lane
) -> CaptionLineRow | None:
    statement = select(CaptionLineRow.id, CaptionLineRow.place).where(CaptionLineRow.track_id == track_id, which)
    # Not page by page: a long film of signs would hold the write lock for a thousand statements.
    for limited in (statement.order_by(order).limit(_SOON), statement.order_by(order)):
        rows = (await session.execute(limited)).all()
        match = next((each.id for each in rows if lane_of_stored(each.place) is lane), None)
        if match is not None:
            return await line(session, track_id, match)
        if len(rows) < _SOON:
            return None
    return None


async def line(session: AsyncSession, track_id: uuid.UUID, line_id: uuid.UUID) -> CaptionLineRow | None:
    statement = select(CaptionLineRow).where(CaptionLineRow.track_id == track_id, CaptionLineRow.id == line_id)
    return (await session.scalars(statement)).one_or_none()


async def history(session: AsyncSession, track_id: uuid.UUID) -> History:
    statement = (
        select(CaptionRevision.number, CaptionRevision.action)
        .where(CaptionRevision.track_id == track_id)
        .order_by(CaptionRevision.number)
    )
    return replay((number, action) for number, action in await session.execute(statement))


_STEP = (
    CaptionRevision.number,
    CaptionRevision.action,
    cast(CaptionRevision.before, Text).label("before"),
    cast(CaptionRevision.after, Text).label("after"),
    CaptionRevision.moves,
    CaptionRevision.step_of,
    CaptionRevision.language_before,
    CaptionRevision.language_after,
    CaptionRevision.speakers_before,
    CaptionRevision.speakers_after,
)
"""A revision with its lines as JSON text, decoded off the event loop."""


async def has_changed_since(session: AsyncSession, track: CaptionTrack, revision: int) -> bool:
    """Whether anybody changed the track after that revision. Measured times of words are nobody's change."""
    if revision >= track.revision:
        return False
    newer = (CaptionRevision.track_id == track.id, CaptionRevision.number > revision, CaptionRevision.action != MEASURE)
    return await session.scalar(select(CaptionRevision.id).where(*newer).limit(1)) is not None


async def revision(session: AsyncSession, track_id: uuid.UUID, number: int) -> Row[*tuple[Any, ...]] | None:
    """The columns of `_STEP`, or None when the revision has been pruned."""
    statement = select(*_STEP).where(CaptionRevision.track_id == track_id, CaptionRevision.number == number)
    return (await session.execute(statement)).one_or_none()


async def revision_of(
    session: AsyncSession, file_id: uuid.UUID, command: uuid.UUID
) -> tuple[CaptionTrack, Row[*tuple[Any, ...]]] | None:
    """The track that a command changed, and the columns of `_STEP` of its revision."""
    statement = (
        select(CaptionTrack, CaptionRevision.number)
        .join(CaptionRevision, CaptionRevision.track_id == CaptionTrack.id)
        .where(CaptionTrack.file_id == file_id, CaptionRevision.command_id == command)
    )
    made = (await session.execute(statement)).first()
    row = None if made is None else await revision(session, made[0].id, made[1])
    return None if made is None or row is None else (made[0], row)


async def has_command(session: AsyncSession, file_id: uuid.UUID, command: uuid.UUID) -> bool:
    statement = (
        select(CaptionRevision.id)
        .join(CaptionTrack, CaptionTrack.id == CaptionRevision.track_id)
        .where(CaptionTrack.file_id == file_id, CaptionRevision.command_id == command)
    )
    return await session.scalar(statement.limit(1)) is not None


async def mark_undone(session: AsyncSession, track_id: uuid.UUID, number: int, *, undone: bool) -> None:
    await session.execute(
        update(CaptionRevision)
        .where(CaptionRevision.track_id == track_id, CaptionRevision.number == number)
        .values(undone=undone)
        .execution_options(synchronize_session=False)
    )


async def prune(session: AsyncSession, track_id: uuid.UUID) -> History:
    """Delete the oldest revisions beyond `HISTORY_STEPS_MAX` changes or `HISTORY_BYTES_MAX` bytes.

    Returns the history of what is left, because each change needs both and reads the same rows for them.
    """
    mine = CaptionRevision.track_id == track_id
    statement = select(CaptionRevision.number, CaptionRevision.action, CaptionRevision.size_bytes).where(mine)
    left: list[tuple[int, str]] = []
    total = 0
    rows = await session.execute(statement.order_by(CaptionRevision.number.desc()))
    for kept, (number, action, size) in enumerate(rows.tuples(), 1):
        total += size
        if kept > HISTORY_STEPS_MAX or total > HISTORY_BYTES_MAX:
            await session.execute(
                delete(CaptionRevision)
                .where(mine, CaptionRevision.number <= number)
                .execution_options(synchronize_session=False)
            )
            break
        left.append((number, action))
    return replay(reversed(left))
