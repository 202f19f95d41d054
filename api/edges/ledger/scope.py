"""Whose ledger a request is about, and how much of it the viewer may see."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import TEAM_OWNERS
from api.people.auth.viewer import Viewer
from api.people.plans.payer import payer_of
from api.people.users.models import User
from api.platform.http.errors import Forbidden, NotFound
from cluster.wording.message import Message

NO_SUCH_TEAM = Message(
    "ledger.no_such_team", "We could not find this team. It may have been deleted, or you are no longer a member."
)
NO_SUCH_PAYER = Message("ledger.no_such_payer", "We could not find this account.")


@dataclass(frozen=True, slots=True)
class Scope:
    """`team_id`: only that team's work. `is_payer`: the viewer pays, or an administrator looks at who does.

    `sees_all`: also the grants and what they paid for, which other members of a team do not see.
    """

    payer_id: uuid.UUID
    team_id: uuid.UUID | None
    is_payer: bool
    sees_all: bool


async def whole_scope_of(
    session: AsyncSession, viewer: Viewer, *, team_id: uuid.UUID | None, payer_id: uuid.UUID | None
) -> Scope:
    """The same for those who may see everything. Raises `Forbidden` for other members of a team as well."""
    scope = await scope_of(session, viewer, team_id=team_id, payer_id=payer_id)
    if not scope.sees_all:
        raise Forbidden
    return scope


async def scope_of(
    session: AsyncSession, viewer: Viewer, *, team_id: uuid.UUID | None = None, payer_id: uuid.UUID | None = None
) -> Scope:
    """The viewer's own ledger, a team's, or with `payer_id` anybody's for administrators.

    Raises `NotFound` for a team of others and `Forbidden` for an account of others.
    """
    if payer_id is not None:
        if not viewer.is_admin:
            raise Forbidden
        if await session.get(User, payer_id) is None:
            raise NotFound(NO_SUCH_PAYER)
        return Scope(payer_id, team_id, is_payer=True, sees_all=True)
    if team_id is None:
        return Scope(viewer.user_id, None, is_payer=True, sees_all=True)
    role = viewer.teams.get(team_id)
    if role is None:
        raise NotFound(NO_SUCH_TEAM)
    payer = await payer_of(session, viewer.user_id, team_id)
    is_payer = payer == viewer.user_id
    return Scope(payer, team_id, is_payer=is_payer, sees_all=is_payer or role in TEAM_OWNERS)
