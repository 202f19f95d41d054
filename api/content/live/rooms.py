"""Readers of a live recording in this process: one look at the database a moment serves all of them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileStatus
from api.content.live import queries
from api.content.live.models import LiveSession
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.http.errors import NotFound, Unavailable

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 0.5
HEARTBEAT_S = 15.0
"""Proxies close what is silent for a minute."""
RETRY_MS = 1_000
"""When a browser connects again."""
READERS_MAX = 2_000
"""Of one process. An open connection costs some 40 kB. One link has at most as many as places stay free, so there is
room for others however many come to it."""
GROUPS_KEPT = 500
"""Who is further behind reads from the database."""
LINES_KEPT = 100
"""Changes of translations. Readers are told of each within half a second."""


class _Room:
    def __init__(self, after: int) -> None:
        self.readers = 0
        self.first = after
        """The number of the first group in `groups`."""
        self.groups: list[dict[str, Any]] = []
        self.languages: list[str] = []
        """Into which it is translated."""
        self.revisions: dict[str, int] = {}
        """Of the translations, by language: what was looked at."""
        self.lines: list[dict[str, Any]] = []
        """What came or changed in them since: a list of lines each, with its language."""
        self.lines_first = 0
        """How many of these are no longer kept."""
        self.end: str | None = None
        """Why nothing follows: `over` or `closed`."""
        self.changed = asyncio.Event()
        self.watch: asyncio.Task[None] | None = None

    @property
    def next(self) -> int:
        return self.first + len(self.groups)

    @property
    def lines_until(self) -> int:
        return self.lines_first + len(self.lines)

    def add_lines(self, lines: list[dict[str, Any]]) -> None:
        self.lines += lines
        surplus = max(0, len(self.lines) - LINES_KEPT)
        del self.lines[:surplus]
        self.lines_first += surplus

    def tell(self) -> None:
        """Wake every reader."""
        self.changed.set()
        self.changed = asyncio.Event()


class Rooms:
    """By the token of a link. A room ends with its last reader."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rooms: dict[str, _Room] = {}
        self._readers: Counter[str] = Counter()
        """By link, counted before their room is there: many may come at once."""

    @property
    def count(self) -> int:
        return len(self._rooms)

    async def events(self, token: str, after: int, language: str | None = None) -> AsyncIterator[str]:
        """Server-sent events of the final words from group `after` on, and of the end.

        With `language` also of the lines of that translation that come or change from now on. All learn of other
        languages into which it is translated.

        The id of each is what a reader sends as `after` of the next connection. The first one comes at once. Raises
        `NotFound` and `Unavailable`.
        """
        if self._readers[token] >= READERS_MAX - self._readers.total():
            raise Unavailable
        self._readers[token] += 1
        room = None
        try:
            room = await self._enter(token, after)
            # What changes from now on is told, also before the reader asks for more.
            told = self._told(token, room, after, language, room.lines_until, room.languages)
            yield f"retry: {RETRY_MS}\n\n"
            async for event in told:
                yield event
        finally:
            self._readers[token] -= 1
            if not self._readers[token]:
                del self._readers[token]
            if room is not None:
                self._leave(token, room)

    async def _enter(self, token: str, after: int) -> _Room:
        async with self._database.read() as session:
            file, live = await queries.watched(session, token)
            count = await queries.count_groups(session, file)
            translations = await queries.live_translations(session, file, live)
        room = self._rooms.get(token)
        if room is None:
            # Whoever names a number that is not there yet must not keep others waiting for it.
            room = self._rooms[token] = _Room(min(after, count))
            room.languages = live.translate_to
            room.revisions = {code: track.revision for code, track in translations.items()}
            room.watch = asyncio.create_task(self._watch(token, room))
        room.readers += 1
        return room

    def _leave(self, token: str, room: _Room) -> None:
        room.readers -= 1
        if room.readers == 0 and room.watch is not None:
            room.watch.cancel()
            if self._rooms.get(token) is room:
                del self._rooms[token]

    async def _told(
        self, token: str, room: _Room, after: int, language: str | None, seen: int, languages: list[str]
    ) -> AsyncIterator[str]:
        while True:
            changed = room.changed
            try:
                is_behind = after < room.first
                groups = await self._read(token, after) if is_behind else room.groups[after - room.first :]
            except NotFound:
                yield _event("closed", {}, after)
                return
            for group in groups:
                after += 1
                yield _event("words", group, after)
            if language is not None and seen < room.lines_first:
                # It misses some. It connects again, and fetches them.
                return
            lines = room.lines[max(0, seen - room.lines_first) :]
            seen = room.lines_until
            for each in lines:
                if each["language"] == language:
                    # Without an id: a reader that connects again fetches the lines once more.
                    yield _event("lines", each)
            if languages != room.languages:
                languages = room.languages
                yield _event("languages", {"translations": languages})
            if groups or lines:
                continue
            if room.end is not None:
                yield _event(room.end, {}, after)
                return
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    await changed.wait()
            except TimeoutError:
                yield ": \n\n"

    async def _read(self, token: str, after: int) -> list[dict[str, Any]]:
        async with self._database.read() as session:
            file, _ = await queries.watched(session, token)
            return await queries.final_groups(session, file, after)

    async def _watch(self, token: str, room: _Room) -> None:
        while room.end is None:
            has_other_languages = False
            try:
                async with self._database.read() as session:
                    file, live = await queries.watched(session, token)
                    groups = await queries.final_groups(session, file, room.next)
                    lines = await _changed(session, file, live, room)
                    has_other_languages, room.languages = room.languages != live.translate_to, live.translate_to
                is_over = file.status != FileStatus.LIVE and not groups
            except NotFound:
                groups, lines, is_over, room.end = [], [], False, "closed"
            except DATABASE_AWAY:
                log.warning("database.unavailable")
                groups, lines, is_over = [], [], False
            room.groups += groups
            room.add_lines(lines)
            surplus = max(0, len(room.groups) - GROUPS_KEPT)
            if surplus:
                del room.groups[:surplus]
                room.first += surplus
            if is_over:
                room.end = "over"
            if groups or lines or has_other_languages or room.end is not None:
                room.tell()
            await asyncio.sleep(LOOK_EVERY_S)


async def _changed(session: AsyncSession, file: File, live: LiveSession, room: _Room) -> list[dict[str, Any]]:
    """What came or changed in the translations since the last look."""
    changed: list[dict[str, Any]] = []
    for language, track in (await queries.live_translations(session, file, live)).items():
        before = room.revisions.get(language, -1)
        if track.revision != before:
            found = await queries.lines_since(session, track, max(0, before))
            changed.append({"language": language, **found.model_dump(mode="json")})
            room.revisions[language] = track.revision
    return changed


def _event(name: str, data: dict[str, Any], number: int | None = None) -> str:
    mark = "" if number is None else f"id: {number}\n"
    return f"event: {name}\n{mark}data: {json.dumps(data, ensure_ascii=False)}\n\n"
