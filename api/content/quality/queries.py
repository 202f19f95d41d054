from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.quality.models import QualityProfileRow
from api.people.access.rules import may_see, of_owner, require_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.captions.quality.profile import QualityProfile, built_in_profiles, default_id

PROFILE_NOT_FOUND = Message(
    "quality.profile_not_found", "This profile is no longer there. Somebody may have deleted it."
)


async def find(session: AsyncSession, viewer: Viewer, profile_id: uuid.UUID) -> QualityProfileRow:
    """A profile the viewer may see. Raises `NotFound`, and `Forbidden` for a change that the viewer may not make."""
    statement = select(QualityProfileRow).where(QualityProfileRow.id == profile_id, may_see(viewer, QualityProfileRow))
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound(PROFILE_NOT_FOUND)
    require_change(viewer, row)
    return row


async def listed(session: AsyncSession, viewer: Viewer) -> Sequence[QualityProfileRow]:
    """The profiles that the viewer uses while acting for a team, by name."""
    statement = (
        select(QualityProfileRow)
        .where(shared_with(viewer.user_id, viewer.team_id, QualityProfileRow))
        .order_by(func.lower(QualityProfileRow.name), QualityProfileRow.created_at, QualityProfileRow.id)
    )
    return (await session.scalars(statement)).all()


async def count_of_owner(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> int:
    statement = select(func.count()).where(of_owner(user_id, team_id, QualityProfileRow))
    return await session.scalar(statement) or 0


async def profile_named(session: AsyncSession, viewer: Viewer, name: str) -> QualityProfile | None:
    """The profile with this id: a built-in one, or one that the viewer may see."""
    built_in = built_in_profiles().get(name)
    if built_in is not None:
        return built_in
    try:
        profile_id = uuid.UUID(name)
    except ValueError:
        return None
    statement = select(QualityProfileRow).where(QualityProfileRow.id == profile_id, may_see(viewer, QualityProfileRow))
    row = (await session.scalars(statement)).one_or_none()
    return None if row is None else limits_of(row)


async def profile_in_force(
    session: AsyncSession, viewer: Viewer, chosen: str | None, language: str
) -> tuple[str, QualityProfile]:
    """The id and the limits of the chosen profile. One that is gone or private gives way to the language's."""
    profile = None if chosen is None else await profile_named(session, viewer, chosen)
    if chosen is not None and profile is not None:
        return chosen, profile
    usual = default_id(language)
    return usual, built_in_profiles()[usual]


def limits_of(row: QualityProfileRow) -> QualityProfile:
    known = {name: value for name, value in row.limits.items() if name in QualityProfile.model_fields}
    return QualityProfile.model_validate(known)
