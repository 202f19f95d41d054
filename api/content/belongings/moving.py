"""Move files between people and their teams."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload
from api.content.files.models import File
from api.content.files.queries import FILE_NOT_FOUND
from api.content.speakers.voices.service import forget_files
from api.content.tags import queries as tags
from api.content.tags.models import FileTag, Tag
from api.content.uploads.storage import check_storage
from api.people.access.audience import notice_of
from api.people.access.owned import EDITORS
from api.people.access.rules import may_see, moves
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import record_in
from api.people.membership.held_team import TEAM_NOT_FOUND
from api.people.plans.payer import payer_of
from api.people.teams.models import Team
from api.platform.db.base import utc_now
from api.platform.db.expressions import in_list
from api.platform.http.errors import Forbidden, NotFound
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.wording.message import Message

NAMES_IN_LOG = 10

ONLY_LOOKS = Message(
    "belongings.only_looks", "You may only look at the files of this team, so you cannot move any into it."
)
COLLEAGUES = Message(
    "belongings.colleagues", "Only an owner of the team can move what colleagues added. Nothing was moved."
)


async def move(session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID], team_id: uuid.UUID | None) -> int:
    """Give the files to a team, or with None make them the viewer's own. All or none; returns how many moved.

    Editors move what they added themselves, a team's owners everything of the team. The files keep their tags, under
    the same names. Raises `NotFound`, `Forbidden` and, when the new payer has no room, `StorageExceeded`.
    """
    await _require_place(viewer, team_id)
    statement = select(File).where(in_list(session, File.id, ids), may_see(viewer, File)).order_by(File.id)
    files = (await session.scalars(statement.with_for_update())).all()
    if len(files) != len(set(ids)):
        raise NotFound(FILE_NOT_FOUND)
    moving = [file for file in files if file.team_id != team_id]
    for file in moving:
        _require_source(viewer, file)
    await _require_room(session, viewer, moving, team_id)
    by_team: defaultdict[uuid.UUID | None, list[File]] = defaultdict(list)
    for file in moving:
        by_team[file.team_id].append(file)
        await _announce(session, file)
        file.team_id, file.kept_since = team_id, utc_now()
        if team_id is None:
            file.user_id = viewer.user_id
        await session.flush()
        await _announce(session, file)
    await _move_uploads(session, moving)
    await _move_tags(session, viewer, moving, team_id)
    # Another team did not ask to know these voices.
    await forget_files(session, [file.id for file in moving])
    for source, moved in by_team.items():
        for touched in {source, team_id} - {None}:
            team = await session.get_one(Team, touched)
            names = [file.name for file in moved[:NAMES_IN_LOG]]
            record_in(session, viewer, AuditAction.FILES_MOVED, team, count=len(moved), names=names)
    return len(moving)


async def _require_place(viewer: Viewer, team_id: uuid.UUID | None) -> None:
    if team_id is None:
        return
    role = viewer.teams.get(team_id)
    if role is None:
        raise NotFound(TEAM_NOT_FOUND)
    if role not in EDITORS:
        raise Forbidden(ONLY_LOOKS)


def _require_source(viewer: Viewer, file: File) -> None:
    if not moves(viewer, file.user_id, file.team_id):
        raise Forbidden(COLLEAGUES)


async def _require_room(
    session: AsyncSession, viewer: Viewer, files: Sequence[File], team_id: uuid.UUID | None
) -> None:
    payer = await payer_of(session, viewer.user_id, team_id)
    sizes = [file.size_bytes or 0 for file in files if await payer_of(session, file.user_id, file.team_id) != payer]
    if sizes:
        await check_storage(session, payer, sum(sizes))


async def _move_uploads(session: AsyncSession, files: Sequence[File]) -> None:
    for file in files:
        await session.execute(
            update(Upload).where(Upload.id == file.upload_id).values(team_id=file.team_id, user_id=file.user_id)
        )


async def _move_tags(session: AsyncSession, viewer: Viewer, files: Sequence[File], team_id: uuid.UUID | None) -> None:
    """Replace the tags by the new owner's of the same names, which are created where they are missing."""
    present = {tag.key: tag for tag in await tags.of_one_owner(session, viewer.user_id, team_id)}
    ids = [file.id for file in files]
    held = (
        select(FileTag.file_id, Tag).join(Tag, Tag.id == FileTag.tag_id).where(in_list(session, FileTag.file_id, ids))
    )
    links = (await session.execute(held)).tuples().all()
    await session.execute(delete(FileTag).where(in_list(session, FileTag.file_id, ids)))
    for file_id, tag in links:
        target = present.get(tag.key)
        if target is None:
            target = Tag(user_id=viewer.user_id, team_id=team_id, name=tag.name, key=tag.key, colour=tag.colour)
            session.add(target)
            await session.flush()
            present[tag.key] = target
        session.add(FileTag(file_id=file_id, tag_id=target.id))
    await session.flush()


async def _announce(session: AsyncSession, file: File) -> None:
    """To those who may see it before the move, and again to those who may see it afterwards."""
    moved = event(Topic.FILE, Action.CHANGED, slug=file.slug, name=file.name)
    add_event(session, await notice_of(session, file, moved))
