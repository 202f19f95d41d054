from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.tags.models import FileTag, Tag, TagColour
from api.content.tags.schemas import CountedTag, TagOut
from api.people.access.rules import may_see, of_owner, offers_change, require_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import in_list
from api.platform.http.errors import NotFound
from cluster.wording.message import Message

TAG_NOT_FOUND = Message("tags.tag_not_found", "This tag no longer exists. Somebody may have deleted it.")


def key_of(name: str) -> str:
    """What two names have in common that mean the same tag."""
    return name.casefold()


def offered(viewer: Viewer) -> ColumnElement[bool]:
    """The tags a viewer chooses from: their own and those of the active team, or of all their teams without one."""
    return may_see(viewer, Tag) if viewer.team_id is None else shared_with(viewer.user_id, viewer.team_id, Tag)


async def find(session: AsyncSession, viewer: Viewer, slug: str) -> Tag:
    """A tag the viewer may see. Raises `NotFound`, and `Forbidden` for a change that the viewer may not make."""
    tag = (await session.scalars(select(Tag).where(Tag.slug == slug, may_see(viewer, Tag)))).one_or_none()
    if tag is None:
        raise NotFound(TAG_NOT_FOUND)
    require_change(viewer, tag)
    return tag


async def of_one_owner(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> Sequence[Tag]:
    """The tags of a team, or of a person alone."""
    return (await session.scalars(select(Tag).where(of_owner(user_id, team_id, Tag)))).all()


async def least_used_colour(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> TagColour:
    statement = select(Tag.colour, func.count()).where(of_owner(user_id, team_id, Tag)).group_by(Tag.colour)
    used = {colour: count for colour, count in await session.execute(statement)}
    # Grey comes last: it says the least.
    return min((*list(TagColour)[1:], TagColour.GREY), key=lambda colour: used.get(colour, 0))


async def tags_of_files(session: AsyncSession, file_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[TagOut]]:
    """By file, its tags by name."""
    statement = (
        select(FileTag.file_id, Tag.slug, Tag.name, Tag.colour, Tag.team_id)
        .join(Tag, Tag.id == FileTag.tag_id)
        .where(in_list(session, FileTag.file_id, file_ids))
        .order_by(Tag.key, Tag.slug)
    )
    found: dict[uuid.UUID, list[TagOut]] = defaultdict(list)
    for row in await session.execute(statement):
        tag = TagOut(slug=row.slug, name=row.name, colour=TagColour(row.colour), team_id=row.team_id)
        found[row.file_id].append(tag)
    return found


def describe(viewer: Viewer, tag: Tag, files: int = 0) -> CountedTag:
    return CountedTag(
        id=tag.id,
        slug=tag.slug,
        name=tag.name,
        colour=TagColour(tag.colour),
        team_id=tag.team_id,
        files=files,
        may_change=offers_change(viewer, tag),
    )
