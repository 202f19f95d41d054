"""Reads from the database what is new of a session's recording, for the items of the session."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from api.content.files.models import File, FileStatus
from api.content.live import queries
from api.content.live.minutes import WARN_S
from api.content.live.models import LiveSession, LiveState
from api.edges.speech.realtime.items import Items
from api.edges.speech.realtime.schemas import ServerEvent
from api.platform.db.commits import Mark
from api.platform.db.engine import Database
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.live import LiveWords
from pipelines.messages.results import TranscribedWindow


@dataclass(frozen=True, slots=True)
class News:
    """What has come since the last look. `left_ms`: so much sound may still come where that is little, else None.

    `why`: why nothing follows, as a sentence; empty while something does, or where somebody simply ended it.
    """

    words: Sequence[LiveWords]
    passages: Sequence[TranscribedWindow]
    left_ms: int | None
    is_over: bool
    has_failed: bool
    why: str

    def events(self, items: Items) -> Iterator[ServerEvent]:
        """In the order of their times."""
        waiting = list(self.words)
        for passage in self.passages:
            while waiting and waiting[0].begins_ms < passage.end_ms:
                yield from items.words(waiting.pop(0))
            yield from items.passage(passage)
        for group in waiting:
            yield from items.words(group)


class Reader:
    def __init__(self, database: Database, file_id: uuid.UUID) -> None:
        self._database = database
        self._file_id = file_id
        self._words = 0
        self._passages = 0
        self._mark: Mark | None = None

    async def next(self) -> News | None:
        """What is new; None where nothing was committed anywhere since the last look. Raises what a database does."""
        newest = await self._database.commits.mark()
        if newest is not None and newest == self._mark:
            return None
        async with self._database.read() as session:
            file = await session.get(File, self._file_id)
            live = await session.get(LiveSession, self._file_id)
            if file is None or live is None:
                return News((), (), None, is_over=True, has_failed=False, why="")
            # First: the words of an utterance are there before its passage.
            passages = await queries.passages_from(session, file, self._passages)
            words = await queries.groups_from(session, file, self._words)
        self._words += len(words)
        self._passages += len(passages)
        # Longer answers come in several looks.
        self._mark = None if words or passages else newest
        is_over = live.state == LiveState.ENDED and file.status != FileStatus.LIVE and not words and not passages
        left_ms = live.ends_at_ms - live.pieces * PIECE_MS
        return News(
            words,
            passages,
            left_ms if live.state == LiveState.OPEN and left_ms <= WARN_S * 1000 else None,
            is_over=is_over,
            has_failed=file.status == FileStatus.FAILED,
            why=str(file.error or live.ends_why or ""),
        )


async def read_until_ms(database: Database, file_id: uuid.UUID) -> int:
    """Until where a recording has been read for the last time."""
    async with database.read() as session:
        file = await session.get_one(File, file_id)
        return await queries.read_until_ms(session, file)
