from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.rules import added_by, is_same_person, may_change
from api.people.api_keys.models import ApiKey
from api.people.api_keys.schemas import ApiKeyOut
from api.people.api_keys.scopes import Scope
from api.people.api_keys.usage import month_of
from api.people.auth.viewer import Viewer
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import NotFound
from cluster.wording.message import Message

GONE = Message("api_keys.gone", "We could not find this API key. It may have been revoked.")


async def listed(session: AsyncSession, viewer: Viewer) -> list[ApiKeyOut]:
    """The viewer's keys, and those of teams that they own, the newest first."""
    statement = (
        select(ApiKey, User.name, clock.now())
        .join(User, User.id == ApiKey.user_id)
        .where(may_change(viewer, ApiKey))
        .order_by(ApiKey.created_at.desc(), ApiKey.id)
    )
    rows = (await session.execute(statement)).tuples().all()
    return [ApiKeyOut(**describe(viewer, key, maker, now)) for key, maker, now in rows]


async def find(session: AsyncSession, viewer: Viewer, key_id: uuid.UUID) -> ApiKey:
    """A key that the viewer may revoke. Raises `NotFound`."""
    statement = select(ApiKey).where(ApiKey.id == key_id, may_change(viewer, ApiKey)).with_for_update()
    key = (await session.scalars(statement)).one_or_none()
    if key is None:
        raise NotFound(GONE)
    return key


async def count_of(session: AsyncSession, user_id: uuid.UUID) -> int:
    return await session.scalar(select(func.count()).select_from(ApiKey).where(added_by(user_id, ApiKey))) or 0


async def of_person(session: AsyncSession, user_id: uuid.UUID) -> Sequence[ApiKey]:
    """All keys that a person has made, for themselves and for teams."""
    statement = select(ApiKey).where(added_by(user_id, ApiKey)).order_by(ApiKey.created_at)
    return (await session.scalars(statement)).all()


def describe(viewer: Viewer, key: ApiKey, maker: str, now: datetime) -> dict[str, Any]:
    """The fields of an `ApiKeyOut`."""
    return {
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "scopes": [scope for scope in Scope if scope in key.scopes],
        "team_id": key.team_id,
        "maker": maker,
        "is_own": is_same_person(key.user_id, viewer.user_id),
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "has_expired": key.expires_at is not None and key.expires_at <= now,
        "last_used_at": key.last_used_at,
        "requests_minute": key.requests_minute,
        "minutes_month": None if key.seconds_month is None else key.seconds_month // 60,
        "seconds_used": key.used_seconds if key.used_month == month_of(now) else 0,
    }
