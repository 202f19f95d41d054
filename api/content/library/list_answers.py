"""Answers of lists of files, kept while nothing that they show has changed.

Describing a hundred files takes 9 ms. An answer is sent again without any statement of its own while no process has
committed anything, and after reading the versions of what it shows otherwise. So no answer is out of date. Those with
work in progress depend on the time too, and are kept for a second.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from sqlalchemy import ColumnElement, Select, String, and_, cast, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.models import AiText
from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export
from api.content.files.models import File, FileKind
from api.content.files.transitions import UNFINISHED
from api.content.library import description
from api.content.library.listing import FileQuery, listed, page_order, wanted
from api.content.library.schemas import FileOut
from api.content.tags.models import FileTag, Tag
from api.people.auth.viewer import Viewer
from api.platform.db.commits import Mark
from api.platform.db.engine import Database
from api.platform.db.sharing import SharedReads, SharedRun
from api.platform.db.unchanged import Unchanged
from api.platform.http.pages.language import page_language
from api.platform.http.paging import Page, page_of
from api.platform.jobs.models import Job
from api.platform.jobs.order.queue_position import FRESH_S
from api.platform.jobs.states import JobState

KEPT_BYTES = 32_000_000
"""For all answers of a web process."""

READ_AT_ONCE = 4
"""Lists read at the same time. Reading costs mostly this process's own time, so more at once only makes all of them
late, and takes the connections that other calls need."""
VERSIONS_TOGETHER = 16
"""Lists whose versions are read in one transaction. Opening one costs as much as a version."""
STATEMENTS_MAX = 256
"""Statements of versions that a process keeps. Building one costs more than running it."""

_OPEN = (JobState.READY, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class _List:
    """What somebody lists, and the statement that reads its version."""

    key: Hashable
    statement: Select[*tuple[Any, ...]] = field(compare=False)


class _Version(NamedTuple):
    """`value` is None while any file is being worked on. `before` and `after` are the marks around its reading."""

    value: bytes | None
    before: Mark | None
    after: Mark | None


class Answer(NamedTuple):
    """`has_work`: some of its files are being worked on, so it depends on the time."""

    body: bytes
    has_work: bool


@dataclass
class AnswerCache:
    """Bodies by the version of what they show, the latest used last, and answers until the next commit."""

    limit: int = KEPT_BYTES
    bodies: OrderedDict[bytes, bytes] = field(default_factory=OrderedDict)
    size: int = 0
    unchanged: Unchanged[Hashable, Answer] = field(default_factory=lambda: Unchanged(KEPT_BYTES))
    running: WeakValueDictionary[Hashable, SharedRun[bytes]] = field(default_factory=WeakValueDictionary)
    """Callers of one list at one moment share its reading."""
    versions: SharedReads[_List, _Version] = field(default_factory=lambda: SharedReads(VERSIONS_TOGETHER))
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READ_AT_ONCE))
    statements: OrderedDict[Hashable, Select[*tuple[Any, ...]]] = field(default_factory=OrderedDict)

    def get(self, version: bytes) -> bytes | None:
        body = self.bodies.get(version)
        if body is not None:
            self.bodies.move_to_end(version)
        return body

    def put(self, version: bytes, body: bytes) -> None:
        self.size += len(body) - len(self.bodies.pop(version, b""))
        self.bodies[version] = body
        while self.size > self.limit:
            self.size -= len(self.bodies.popitem(last=False)[1])


async def answer(
    database: Database, kept: AnswerCache, viewer: Viewer, query: FileQuery, kind: FileKind | None = None
) -> bytes:
    """The body of a page of the viewer's files, as JSON."""
    # Roles, and whether support only looks, decide what a file says that one may do.
    rights = (tuple(sorted(viewer.teams.items())), viewer.may_change)
    key = (viewer.user_id, rights, kind, query.model_dump_json(), page_language())
    found = kept.unchanged.get(viewer.mark, key)
    if found is not None:
        known, age_s = found
        if not known.has_work or age_s < FRESH_S:
            # Behind those who wait for a reading. Else people who ask again at once take all the time of this
            # process, and a reading with its twenty steps comes too late.
            await kept.versions.settle()
            if kept.turns.locked():
                async with kept.turns:
                    pass
            return known.body
    run = kept.running.get(key)
    if run is None:
        run = kept.running[key] = SharedRun(partial(_read, database, kept, key, viewer, query, kind))
    return await run.result()


async def _read(
    database: Database, kept: AnswerCache, key: Hashable, viewer: Viewer, query: FileQuery, kind: FileKind | None
) -> bytes:
    statement = kept.statements.pop(key, None)
    if statement is None:
        statement = _version_statement(viewer, query, kind)
    kept.statements[key] = statement
    if len(kept.statements) > STATEMENTS_MAX:
        kept.statements.popitem(last=False)
    wanted_list = _List(key, statement)
    version = await kept.versions.result(wanted_list, partial(_read_versions, database))
    assert version is not None
    after = version.after
    body = None if version.value is None else kept.get(version.value)
    if body is None:
        async with kept.turns, database.read() as session:
            files, total = await listed(session, viewer, query, kind=kind)
            page: Page[FileOut] = page_of(await description.describe_all(session, viewer, files), query, total)
            body = page.model_dump_json(by_alias=True).encode()
            # Each statement sees the database at its own moment, so something may have changed between them.
            if version.value is not None and version.value == await _version(session, wanted_list):
                kept.put(version.value, body)
        after = await database.commits.mark()
    kept.unchanged.put(version.before, after, key, Answer(body, version.value is None), size=len(body))
    return body


async def _read_versions(database: Database, lists: Sequence[_List]) -> dict[_List, _Version]:
    before = await database.commits.mark()
    async with database.read() as session:
        values = {each: await _version(session, each) for each in lists}
    after = await database.commits.mark()
    return {each: _Version(value, before, after) for each, value in values.items()}


async def _version(session: AsyncSession, wanted_list: _List) -> bytes | None:
    """A hash of the list and the versions of all rows that the page shows; None while any file is being worked on."""
    has_work, *versions = (await session.execute(wanted_list.statement)).one()
    if has_work:
        return None
    # The databases join the parts in any order.
    each = [sorted(str(joined).split(",")) for joined in versions]
    return hashlib.sha256(repr((wanted_list.key, each)).encode()).digest()


def _version_statement(viewer: Viewer, query: FileQuery, kind: FileKind | None) -> Select[*tuple[Any, ...]]:
    """Whether any file of the page is being worked on, how many files there are, and the versions of their rows."""
    which = wanted(viewer, query, kind)
    ordered = select(File.id, File.updated_at, File.status).where(*which).order_by(*page_order(query.sort))
    page = ordered.limit(query.size).offset(query.offset).cte("page")
    ids = select(page.c.id)
    parts = (
        _concatenation(select((_text(page.c.id) + _text(page.c.updated_at)).label("part")).select_from(page)),
        _concatenation(_rows(Export, ids)),
        _concatenation(_rows(AiText, ids)),
        _concatenation(_rows(CaptionTrack, ids)),
        _concatenation(_rows(Job, ids)),
        _concatenation(
            select((_text(FileTag.file_id) + _text(Tag.id) + _text(Tag.updated_at)).label("part"))
            .join(Tag, Tag.id == FileTag.tag_id)
            .where(FileTag.file_id.in_(ids))
        ),
    )
    total = select(func.count()).select_from(File).where(*which).scalar_subquery()
    is_open = or_(
        select(literal(1)).where(page.c.status.in_(UNFINISHED)).exists(),
        select(literal(1)).where(and_(Job.file_id.in_(ids), Job.state.in_(_OPEN))).exists(),
    )
    return select(is_open, total, *parts)


def _rows(table: Any, ids: Select[Any]) -> Select[Any]:
    """The id and time of each row of the files. Every change of a row sets its time."""
    return select((_text(table.id) + _text(table.updated_at)).label("part")).where(table.file_id.in_(ids))


def _concatenation(parts: Select[Any]) -> ColumnElement[Any]:
    each = parts.subquery()
    return select(func.aggregate_strings(each.c.part, ",")).scalar_subquery()


def _text(column: Any) -> ColumnElement[str]:
    return cast(column, String)
