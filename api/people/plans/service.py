"""Agreements with customers that replace a plan's numbers."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.models import Contract
from api.platform.db import clock
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

ENDS_FIRST = Message("plans.ends_first", "The contract must end after it starts.")


async def set_contract(
    session: AsyncSession,
    user_id: uuid.UUID,
    *,
    price_monthly: int,
    price_minutes: int,
    max_seconds: int | None,
    max_space: int | None,
    max_users: int | None,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
) -> Contract:
    """Make or change a person's contract. It starts now, or when it did, unless `starts_at` says otherwise.

    Prices are in cents, None means no limit. New numbers apply at once; what the month has used stays used.
    """
    contract = (await session.scalars(select(Contract).where(Contract.user_id == user_id))).one_or_none()
    now: datetime = (await session.scalars(select(clock.now()))).one()
    if contract is None:
        contract = Contract(user_id=user_id, starts_at=now)
        session.add(contract)
    contract.starts_at = starts_at or contract.starts_at
    contract.ends_at = ends_at
    if contract.ends_at is not None and contract.ends_at <= contract.starts_at:
        raise Invalid.field("ends_at", ENDS_FIRST)
    contract.price_monthly, contract.price_minutes = price_monthly, price_minutes
    contract.max_seconds, contract.max_space, contract.max_users = max_seconds, max_space, max_users
    await session.flush()
    return contract


async def end_contract(session: AsyncSession, user_id: uuid.UUID) -> bool:
    """End a person's contract now. The minutes of the running month stay usable. False if there was none."""
    contract = (await session.scalars(select(Contract).where(Contract.user_id == user_id))).one_or_none()
    if contract is None:
        return False
    contract.ends_at = (await session.scalars(select(clock.now()))).one()
    return True
