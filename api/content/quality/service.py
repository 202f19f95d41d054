"""Profiles of people and teams: add, change and delete them."""

from __future__ import annotations

import uuid

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.quality import queries
from api.content.quality.models import QualityProfileRow
from api.content.quality.schemas import NewProfile, OwnScope, ProfileIn
from api.people.access.rules import require_addition
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

PROFILES_MAX = 100
"""Profiles of one person or one team."""

FULL = Message("quality.full", "You have {count} profiles, and no more fit. Delete some first.", count=PROFILES_MAX)
NO_TEAM = Message(
    "quality.no_team", "You are not acting for a team. Choose one first, or keep the profile to yourself."
)


async def add(session: AsyncSession, viewer: Viewer, profile: NewProfile) -> QualityProfileRow:
    team_id = _team(viewer, profile.scope)
    if await queries.count_of_owner(session, viewer.user_id, team_id) >= PROFILES_MAX:
        raise Invalid.field("name", FULL)
    row = QualityProfileRow(user_id=viewer.user_id, team_id=team_id, name=profile.name, limits=_limits(profile))
    session.add(row)
    await session.flush()
    return row


async def change(session: AsyncSession, viewer: Viewer, profile_id: uuid.UUID, profile: ProfileIn) -> QualityProfileRow:
    row = await queries.find(session, viewer, profile_id)
    row.name, row.limits, row.updated_at = profile.name, _limits(profile), utc_now()
    await session.flush()
    return row


async def remove(session: AsyncSession, viewer: Viewer, profile_id: uuid.UUID) -> None:
    row = await queries.find(session, viewer, profile_id)
    await session.execute(delete(QualityProfileRow).where(QualityProfileRow.id == row.id))


def _team(viewer: Viewer, scope: OwnScope | None) -> uuid.UUID | None:
    if scope is OwnScope.TEAM and viewer.team_id is None:
        raise Invalid.field("scope", NO_TEAM)
    if scope is OwnScope.USER or viewer.team_id is None:
        return None
    require_addition(viewer)
    return viewer.team_id


def _limits(profile: ProfileIn) -> dict[str, object]:
    return profile.limits.model_dump(mode="json")
