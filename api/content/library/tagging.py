"""Which files have which tags. A file and its tags have the same owner: a person, or a team."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files import queries
from api.content.files.models import File
from api.content.library.schemas import TagFiles
from api.content.tags import queries as tags
from api.content.tags.models import FileTag, Tag
from api.content.tags.schemas import CountedTag
from api.people.access.audience import notice_of
from api.people.access.rules import may_see, require_change
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.db.expressions import in_list
from api.platform.http.errors import Invalid, NotFound
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.wording.message import Message, Wording

FILE_TAGS_MAX = 20
TOO_MANY = Message("library.too_many", "A file may have at most {count} tags. Remove some first.", count=FILE_TAGS_MAX)
UNKNOWN_TAG = Wording(
    "library.unknown_tag", "The tag '{name}' does not exist here. Create it first, or reload the page."
)
OTHER_OWNER = Wording(
    "library.other_owner", "The tag '{name}' belongs to another owner than '{file}'. Choose a tag of the same team."
)


async def counted(session: AsyncSession, viewer: Viewer) -> list[CountedTag]:
    """The tags that the viewer chooses from, by name, with the number of files that have them."""
    numbers = (
        select(FileTag.tag_id, func.count().label("files"))
        .join(File, File.id == FileTag.file_id)
        .where(may_see(viewer, File))
        .group_by(FileTag.tag_id)
        .subquery()
    )
    statement = (
        select(Tag, func.coalesce(numbers.c.files, 0))
        .outerjoin(numbers, numbers.c.tag_id == Tag.id)
        .where(tags.offered(viewer))
        .order_by(Tag.key, Tag.slug)
    )
    return [tags.describe(viewer, tag, files) for tag, files in (await session.execute(statement)).tuples()]


async def set_tags(session: AsyncSession, viewer: Viewer, key: str, wanted: Sequence[str]) -> File:
    """Give a file these tags and no others. Each is the slug or the name of a tag of the file's owner."""
    file = await queries.find(session, viewer, key, hold=True)
    owned = await tags.of_one_owner(session, file.user_id, file.team_id)
    by_name = {tag.key: tag for tag in owned} | {tag.slug: tag for tag in owned}
    chosen: dict[uuid.UUID, Tag] = {}
    for name in wanted:
        tag = by_name.get(name) or by_name.get(tags.key_of(name))
        if tag is None:
            raise Invalid.field("tags", UNKNOWN_TAG(name=name))
        chosen[tag.id] = tag
    if len(chosen) > FILE_TAGS_MAX:
        raise Invalid.field("tags", TOO_MANY)
    await session.execute(delete(FileTag).where(FileTag.file_id == file.id))
    await _add(session, [(file.id, tag_id) for tag_id in chosen])
    await _changed(session, file)
    return file


async def tag_files(session: AsyncSession, viewer: Viewer, body: TagFiles) -> None:
    """Add tags to several files and take others from them, all or none."""
    statement = select(File).where(in_list(session, File.id, body.ids), may_see(viewer, File)).order_by(File.id)
    files = (await session.scalars(statement.with_for_update())).all()
    if len(files) != len(set(body.ids)):
        raise NotFound(queries.FILE_NOT_FOUND)
    added = [await tags.find(session, viewer, slug) for slug in dict.fromkeys(body.add)]
    removed = [await tags.find(session, viewer, slug) for slug in dict.fromkeys(body.remove)]
    present = await _present(session, [file.id for file in files])
    gone = {tag.id for tag in removed}
    new: list[tuple[uuid.UUID, uuid.UUID]] = []
    for file in files:
        require_change(viewer, file)
        fitting = {tag.id for tag in await tags.of_one_owner(session, file.user_id, file.team_id)} if added else set()
        for tag in added:
            if tag.id not in fitting:
                raise Invalid.field("add", OTHER_OWNER(name=tag.name, file=file.name))
        had = present.get(file.id, set())
        wanted = (had - gone) | {tag.id for tag in added}
        if len(wanted) > FILE_TAGS_MAX:
            raise Invalid.field("add", TOO_MANY)
        new += [(file.id, tag_id) for tag_id in wanted - had]
        await _changed(session, file)
    if gone:
        ids = [file.id for file in files]
        await session.execute(delete(FileTag).where(in_list(session, FileTag.file_id, ids), FileTag.tag_id.in_(gone)))
    await _add(session, new)


async def _present(session: AsyncSession, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, set[uuid.UUID]]:
    found: dict[uuid.UUID, set[uuid.UUID]] = {}
    statement = select(FileTag.file_id, FileTag.tag_id).where(in_list(session, FileTag.file_id, ids))
    for file_id, tag_id in await session.execute(statement):
        found.setdefault(file_id, set()).add(tag_id)
    return found


async def _add(session: AsyncSession, pairs: Collection[tuple[uuid.UUID, uuid.UUID]]) -> None:
    if pairs:
        await session.execute(insert(FileTag), [{"file_id": file_id, "tag_id": tag_id} for file_id, tag_id in pairs])


async def _changed(session: AsyncSession, file: File) -> None:
    file.updated_at = utc_now()
    add_event(
        session, await notice_of(session, file, event(Topic.FILE, Action.CHANGED, slug=file.slug, name=file.name))
    )
