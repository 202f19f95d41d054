"""Seconds given to a payer: new grants, the month of a contract, what expires, and corrections.

All of these expect the caller to hold the payer's account, or take it.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.accounts import HeldAccount, lock_account
from api.people.ledger.models import Funding, Movement, MovementKind
from api.people.ledger.month import Month
from api.people.plans.minutes import PRIORITIES, Grant, GrantSource
from api.people.plans.models import Contract
from api.people.plans.queries import contract_of
from api.platform.db import clock
from cluster.wording.message import Wording

CONTRACT_NOTE = Wording("ledger.contract_note", "Minutes of your contract for {month}.")


@dataclass(frozen=True, slots=True)
class ContractMonth:
    """What a contract includes in one month. `key` is that of its grant."""

    key: str
    seconds: int
    starts_at: datetime
    expires_at: datetime


def contract_month(contract: Contract, now: datetime) -> ContractMonth | None:
    """The month of a contract at `now`; None for a contract without a limit."""
    if contract.max_seconds is None:
        return None
    month = Month.of(now)
    starts_at = max(month.start, contract.starts_at)
    expires_at = month.end if contract.ends_at is None else min(month.end, contract.ends_at)
    return ContractMonth(f"contract:{contract.id}:{month}", contract.max_seconds, starts_at, expires_at)


async def add_grant(
    session: AsyncSession,
    account: HeldAccount,
    *,
    source: GrantSource,
    seconds: int,
    starts_at: datetime,
    expires_at: datetime | None,
    key: str,
    note: str | None,
) -> Grant:
    """The grant with this key, made now unless it exists."""
    grant = (await session.scalars(select(Grant).where(Grant.key == key))).one_or_none()
    if grant is None:
        grant = Grant(
            payer_id=account.payer_id,
            source=source,
            key=key,
            seconds=seconds,
            priority=PRIORITIES[source],
            starts_at=starts_at,
            expires_at=expires_at,
            note=note,
            available=seconds,
        )
        session.add(grant)
        await session.flush()
    return grant


async def renew_contract(session: AsyncSession, account: HeldAccount) -> None:
    """Make this month's grant of the payer's contract, or fit it to numbers that changed meanwhile."""
    contract = await contract_of(session, account.payer_id)
    month = contract_month(contract, account.now) if contract is not None else None
    if month is None:
        return
    grant = await add_grant(
        session,
        account,
        source=GrantSource.CONTRACT,
        seconds=month.seconds,
        starts_at=month.starts_at,
        expires_at=month.expires_at,
        key=month.key,
        note=None,
    )
    await session.refresh(grant)
    more = month.seconds - (grant.available + grant.held + grant.spent + grant.expired)
    # What is used stays used: a smaller contract takes back only what is left.
    more = max(more, -grant.available)
    if more:
        await move_available(session, account, grant.id, MovementKind.CORRECT, more)


async def move_available(
    session: AsyncSession,
    account: HeldAccount,
    grant_id: uuid.UUID,
    kind: MovementKind,
    seconds: int,
    note: str | None = None,
) -> None:
    """Write an `expire` or `correct` movement and its effect on the grant."""
    values = (
        {Grant.available: Grant.available - seconds, Grant.expired: Grant.expired + seconds}
        if kind is MovementKind.EXPIRE
        else {Grant.available: Grant.available + seconds}
    )
    session.add(
        Movement(
            at=account.now,
            payer_id=account.payer_id,
            kind=kind,
            funding=Funding.GRANT,
            grant_id=grant_id,
            seconds=seconds,
            note=note,
        )
    )
    await session.flush()
    await session.execute(
        update(Grant).where(Grant.id == grant_id).values(values).execution_options(synchronize_session=False)
    )


async def expire_of(session: AsyncSession, account: HeldAccount) -> None:
    """Expire what is left of the payer's grants whose time is over."""
    statement = (
        select(Grant.id, Grant.available)
        .where(Grant.payer_id == account.payer_id, Grant.expires_at <= account.now, Grant.available > 0)
        .order_by(Grant.id)
    )
    for grant_id, available in (await session.execute(statement)).tuples().all():
        await move_available(session, account, grant_id, MovementKind.EXPIRE, available)


async def payers_with_expired(session: AsyncSession, limit: int) -> Sequence[uuid.UUID]:
    statement = (
        select(Grant.payer_id).where(Grant.expires_at <= clock.now(), Grant.available > 0).distinct().limit(limit)
    )
    return (await session.scalars(statement)).all()


async def usable_grants(session: AsyncSession, payer_id: uuid.UUID, now: datetime) -> Sequence[Grant]:
    """The grants that may pay now, in the order in which they do: by priority, then the one that expires first."""
    statement = (
        select(Grant)
        .where(
            Grant.payer_id == payer_id,
            Grant.starts_at <= now,
            or_(Grant.expires_at.is_(None), Grant.expires_at > now),
        )
        .order_by(Grant.priority.desc(), Grant.expires_at.is_(None), Grant.expires_at, Grant.starts_at, Grant.id)
        .execution_options(populate_existing=True)
    )
    return (await session.scalars(statement)).all()


async def prepare(session: AsyncSession, payer_id: uuid.UUID) -> HeldAccount:
    """Lock a payer's account with its grants up to date."""
    account = await lock_account(session, payer_id)
    await renew_contract(session, account)
    await expire_of(session, account)
    return account
