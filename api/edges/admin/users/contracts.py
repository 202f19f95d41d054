"""Agreements with one customer, and minutes given for nothing."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.users.queries import find
from api.edges.admin.users.schemas import ContractChange, ContractIn, Goodwill
from api.people.audit.actions import AuditAction
from api.people.audit.service import Acting, record_for
from api.people.ledger.service import grant
from api.people.plans.minutes import GrantSource
from api.people.plans.service import end_contract, set_contract
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import NotFound
from cluster.wording.message import Message

NO_CONTRACT = Message("admin.no_contract", "This account has no contract.")
MINUTE_S = 60


async def agree(session: AsyncSession, viewer: Acting, user_id: uuid.UUID, wanted: ContractIn) -> User:
    """Make or change the contract of an account."""
    user = await find(session, user_id)
    dates = {}
    if isinstance(wanted, ContractChange):
        dates = {"starts_at": wanted.starts_at, "ends_at": wanted.ends_at}
    await set_contract(
        session,
        user.id,
        price_monthly=wanted.price_monthly,
        price_minutes=wanted.price_minutes,
        max_seconds=wanted.max_seconds,
        max_space=wanted.max_bytes,
        max_users=wanted.max_users,
        **dates,
    )
    record_for(session, viewer, AuditAction.CONTRACT_SET, subject_id=user.id, **numbers_of(wanted))
    return user


async def end(session: AsyncSession, viewer: Acting, user_id: uuid.UUID) -> User:
    user = await find(session, user_id)
    if not await end_contract(session, user.id):
        raise NotFound(NO_CONTRACT)
    record_for(session, viewer, AuditAction.CONTRACT_ENDED, subject_id=user.id)
    return user


async def give(session: AsyncSession, viewer: Acting, user_id: uuid.UUID, wanted: Goodwill) -> User:
    """Give an account minutes that cost nothing."""
    user = await find(session, user_id)
    now = (await session.scalars(select(clock.now()))).one()
    await grant(
        session,
        payer_id=user.id,
        source=GrantSource.GOODWILL,
        seconds=wanted.minutes * MINUTE_S,
        starts_at=now,
        expires_at=now + timedelta(days=wanted.days),
        key=f"goodwill:{uuid.uuid4()}",
        note=wanted.reason,
    )
    record_for(
        session,
        viewer,
        AuditAction.GOODWILL_GRANTED,
        subject_id=user.id,
        minutes=wanted.minutes,
        days=wanted.days,
        reason=wanted.reason,
    )
    return user


def numbers_of(wanted: ContractIn) -> dict[str, Any]:
    """The numbers of a contract as an entry holds them."""
    return {
        "price_monthly": wanted.price_monthly,
        "price_minutes": wanted.price_minutes,
        "max_hours": wanted.max_hours,
        "max_space": wanted.max_space,
        "max_users": wanted.max_users,
    }
