"""End sessions. Each returns the ids of those it ended, whose realtime connections end too (`jobs/outbox.py`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.sessions import hash_token
from api.people.teams.models import Membership, Team, is_open
from api.people.users.models import BrowserSession
from api.platform.db import clock


async def end(session: AsyncSession, token: str) -> Sequence[uuid.UUID]:
    return await _end(session, BrowserSession.token_hash == hash_token(token))


async def end_one(session: AsyncSession, user_id: uuid.UUID, session_id: uuid.UUID) -> Sequence[uuid.UUID]:
    """Sign a person out in one browser. Empty when the person has no such session."""
    return await _end(session, BrowserSession.user_id == user_id, BrowserSession.id == session_id)


async def end_all(session: AsyncSession, user_id: uuid.UUID, *, but: uuid.UUID | None = None) -> Sequence[uuid.UUID]:
    """Sign a person out in every browser, except the session `but`."""
    others = () if but is None else (BrowserSession.id != but,)
    return await _end(session, BrowserSession.user_id == user_id, *others)


async def end_expired(session: AsyncSession) -> Sequence[uuid.UUID]:
    return await _end(session, BrowserSession.expires_at < clock.now())


async def end_outlasting(session: AsyncSession) -> Sequence[uuid.UUID]:
    """End the sessions that are older than a team of their person allows."""
    ended: list[uuid.UUID] = []
    limits = select(Team.session_hours).distinct().where(Team.session_hours.is_not(None), is_open())
    for hours in (await session.scalars(limits)).all():
        members = (
            select(Membership.user_id)
            .join(Team, Team.id == Membership.team_id)
            .where(Team.session_hours == hours, is_open())
        )
        ended += await _end(
            session,
            BrowserSession.user_id.in_(members),
            BrowserSession.browse_id.is_(None),
            BrowserSession.created_at < clock.now(-timedelta(hours=hours or 0).total_seconds()),
        )
    return ended


async def shortest_of(session: AsyncSession, user_id: uuid.UUID) -> timedelta | None:
    """The shortest session that a person's teams allow, or None where they leave it to the installation."""
    statement = (
        select(func.min(Team.session_hours))
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user_id, is_open())
    )
    hours = await session.scalar(statement)
    return None if hours is None else timedelta(hours=hours)


async def _end(session: AsyncSession, *which: ColumnElement[bool]) -> Sequence[uuid.UUID]:
    statement = delete(BrowserSession).where(*which).returning(BrowserSession.id)
    return (await session.scalars(statement)).all()
