"""Create, rename, recolour and delete tags."""

from __future__ import annotations

import uuid

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.tags import queries
from api.content.tags.models import Tag
from api.content.tags.schemas import NewTag, TagChange
from api.people.access.audience import notice_of
from api.people.access.rules import require_addition
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.wording.message import Message

TAGS_MAX = 200
"""Tags of one person or one team."""

FULL = Message("tags.full", "You have {count} tags, and no more fit. Delete some first.", count=TAGS_MAX)
TAKEN = Message("tags.taken", "You already have a tag with this name.")


async def create(session: AsyncSession, viewer: Viewer, new: NewTag) -> Tag:
    """Create a tag of the active team, or of the person alone. Raises `Invalid` for a name that is taken."""
    require_addition(viewer)
    present = await queries.of_one_owner(session, viewer.user_id, viewer.team_id)
    key = queries.key_of(new.tag)
    if key in {tag.key for tag in present}:
        raise Invalid.field("tag", TAKEN)
    if len(present) >= TAGS_MAX:
        raise Invalid.field("tag", FULL)
    colour = new.colour or await queries.least_used_colour(session, viewer.user_id, viewer.team_id)
    tag = Tag(user_id=viewer.user_id, team_id=viewer.team_id, name=new.tag, key=key, colour=colour)
    session.add(tag)
    await _flush(session, "tag")
    await _announce(session, tag)
    return tag


async def change(session: AsyncSession, viewer: Viewer, slug: str, change: TagChange) -> Tag:
    """Rename or recolour a tag. Raises `Invalid` when another tag has the name."""
    tag = await queries.find(session, viewer, slug)
    if change.name is not None:
        tag.name, tag.key = change.name, queries.key_of(change.name)
    if change.colour is not None:
        tag.colour = change.colour
    tag.updated_at = utc_now()
    await _flush(session, "name")
    await _announce(session, tag)
    return tag


async def remove(session: AsyncSession, viewer: Viewer, slug: str) -> uuid.UUID:
    """Delete a tag. Its files stay, without it."""
    tag = await queries.find(session, viewer, slug)
    await _announce(session, tag, Action.DELETED)
    record_for(
        session,
        viewer,
        AuditAction.TAG_DELETED,
        subject_id=tag.user_id,
        team_id=tag.team_id,
        object_kind="tag",
        object_id=tag.slug,
        name=tag.name,
    )
    await session.execute(delete(Tag).where(Tag.id == tag.id))
    return tag.id


async def _flush(session: AsyncSession, field: str) -> None:
    """Write what is pending. Two calls with one name at once: the second is refused by the index."""
    try:
        async with session.begin_nested():
            await session.flush()
    except IntegrityError:
        raise Invalid.field(field, TAKEN) from None


async def _announce(session: AsyncSession, tag: Tag, action: Action = Action.CHANGED) -> None:
    add_event(session, await notice_of(session, tag, event(Topic.TAG, action, slug=tag.slug, name=tag.name)))
