"""Make keys and revoke them."""

from __future__ import annotations

import uuid
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.rules import added_by, require_addition
from api.people.api_keys import queries
from api.people.api_keys.limits import KEYS_MAX
from api.people.api_keys.models import ApiKey
from api.people.api_keys.schemas import MadeApiKey, NewApiKey
from api.people.api_keys.scopes import Scope
from api.people.api_keys.secrets import hash_secret, new_secret, prefix_of
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

TOO_MANY = Message(
    "api_keys.too_many",
    "You have {count} API keys, and no more fit. Revoke one that you no longer use.",
    count=KEYS_MAX,
)
KIND = "API key"


async def make(session: AsyncSession, viewer: Viewer, wanted: NewApiKey) -> MadeApiKey:
    """Make a key for the active team, or for the viewer alone. The answer alone holds its secret.

    Raises `Invalid` beyond `KEYS_MAX`, and `Forbidden` in a team in which the viewer may only look.
    """
    require_addition(viewer)
    # Two calls at once count one after the other.
    user = await session.get_one(User, viewer.user_id, with_for_update=True)
    if await queries.count_of(session, viewer.user_id) >= KEYS_MAX:
        raise Invalid.field("name", TOO_MANY)
    now = (await session.execute(select(clock.now()))).scalar_one()
    secret = new_secret()
    key = ApiKey(
        user_id=viewer.user_id,
        team_id=viewer.team_id,
        name=wanted.name,
        prefix=prefix_of(secret),
        secret_hash=hash_secret(secret),
        scopes=[scope.value for scope in Scope if scope in wanted.scopes],
        created_at=now,
        expires_at=None if wanted.expires_days is None else now + timedelta(days=wanted.expires_days),
        requests_minute=wanted.requests_minute,
        seconds_month=None if wanted.minutes_month is None else wanted.minutes_month * 60,
        used_seconds=0,
    )
    session.add(key)
    await session.flush()
    _record(session, viewer, AuditAction.API_KEY_CREATED, key)
    return MadeApiKey(**queries.describe(viewer, key, user.name, now), secret=secret)


async def revoke(session: AsyncSession, viewer: Viewer, key_id: uuid.UUID) -> None:
    """End a key: the next call with it is refused. Raises `NotFound`."""
    key = await queries.find(session, viewer, key_id)
    _record(session, viewer, AuditAction.API_KEY_REVOKED, key)
    await session.delete(key)


async def revoke_all(session: AsyncSession, user_id: uuid.UUID) -> None:
    """End every key of somebody who leaves, those for teams included."""
    await session.execute(delete(ApiKey).where(added_by(user_id, ApiKey)))


def _record(session: AsyncSession, viewer: Viewer, action: AuditAction, key: ApiKey) -> None:
    record_for(
        session,
        viewer,
        action,
        subject_id=key.user_id,
        team_id=key.team_id,
        object_kind=KIND,
        object_id=str(key.id),
        name=key.name,
        prefix=key.prefix,
        scopes=key.scopes,
    )
