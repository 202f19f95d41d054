from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.styles.models import CaptionStyleRow, FileStyle
from api.people.access.rules import may_see, of_owner, require_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.http.errors import NotFound
from cluster.wording.message import Message

STYLE_NOT_FOUND = Message("styles.style_not_found", "This style no longer exists. Somebody may have deleted it.")


async def find(session: AsyncSession, viewer: Viewer, style_id: uuid.UUID) -> CaptionStyleRow:
    """A preset the viewer may see. Raises `NotFound`, and `Forbidden` for a change that the viewer may not make."""
    statement = select(CaptionStyleRow).where(CaptionStyleRow.id == style_id, may_see(viewer, CaptionStyleRow))
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound(STYLE_NOT_FOUND)
    require_change(viewer, row)
    return row


async def listed(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> Sequence[CaptionStyleRow]:
    """The presets that a person uses while acting for a team, by name."""
    statement = (
        select(CaptionStyleRow)
        .where(shared_with(user_id, team_id, CaptionStyleRow))
        .order_by(func.lower(CaptionStyleRow.name), CaptionStyleRow.created_at, CaptionStyleRow.id)
    )
    return (await session.scalars(statement)).all()


async def of_one_owner(
    session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None
) -> Sequence[CaptionStyleRow]:
    """The presets of a team, or of a person alone."""
    return (await session.scalars(select(CaptionStyleRow).where(of_owner(user_id, team_id, CaptionStyleRow)))).all()


async def for_file(session: AsyncSession, file: File, style_id: uuid.UUID) -> CaptionStyleRow | None:
    """A preset of whoever owns the file: its team, or the person who uploaded it."""
    statement = select(CaptionStyleRow).where(
        CaptionStyleRow.id == style_id, shared_with(file.user_id, file.team_id, CaptionStyleRow)
    )
    return (await session.scalars(statement)).one_or_none()


async def default_for(session: AsyncSession, file: File) -> CaptionStyleRow | None:
    """The default of the team the file belongs to, or of its owner alone."""
    statement = select(CaptionStyleRow).where(
        of_owner(file.user_id, file.team_id, CaptionStyleRow), CaptionStyleRow.is_default.is_(True)
    )
    return (await session.scalars(statement.order_by(CaptionStyleRow.updated_at.desc()).limit(1))).one_or_none()


async def of_file(session: AsyncSession, file: File) -> FileStyle | None:
    return await session.get(FileStyle, file.id)
