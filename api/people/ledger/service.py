"""The ledger's calls: grant, reserve, settle, release, refund and correct.

All run in the caller's transaction and lock the payer's account, after jobs, files and uploads. Reservations of one
payer therefore come one after another, on both databases: whatever arrives at once, a grant is never overdrawn.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger import balances, grants, reservations
from api.people.ledger.accounts import HeldAccount, lock_account
from api.people.ledger.errors import QuotaExceeded
from api.people.ledger.models import Funding, LedgerAccount, Movement, MovementKind, Reason
from api.people.ledger.prices import priced
from api.people.ledger.sentences import refusal
from api.people.plans.enforcement import is_enforced
from api.people.plans.limits import PlanLimits, limits_of
from api.people.plans.minutes import Grant, GrantSource
from api.platform.http.errors import Conflict, NotFound
from cluster.wording.message import Message

NO_SUCH_GRANT = Message("ledger.no_such_grant", "This grant does not exist.")
CONTRACTS_CHANGE = Message(
    "ledger.contracts_change", "The minutes of a contract follow its numbers. Change the contract instead."
)
NOT_SO_MANY = Message("ledger.not_so_many", "Only what is left of a grant can be taken back.")


async def grant(
    session: AsyncSession,
    *,
    payer_id: uuid.UUID,
    source: GrantSource,
    seconds: int,
    starts_at: datetime,
    expires_at: datetime | None,
    key: str,
    note: str | None = None,
) -> Grant:
    """Give a payer seconds of sound. A second call with the same `key` changes nothing and returns the first grant."""
    account = await lock_account(session, payer_id)
    return await grants.add_grant(
        session,
        account,
        source=source,
        seconds=seconds,
        starts_at=starts_at,
        expires_at=expires_at,
        key=key,
        note=note,
    )


@dataclass(frozen=True, slots=True)
class _Share:
    """Part of a reservation, before it is written."""

    funding: Funding
    seconds: int
    grant_id: uuid.UUID | None = None
    price_minute: int = 0


async def reserve(
    session: AsyncSession,
    *,
    payer_id: uuid.UUID,
    job_id: uuid.UUID,
    file_id: uuid.UUID | None,
    work: str,
    seconds: int,
    user_id: uuid.UUID | None = None,
    team_id: uuid.UUID | None = None,
    free: Reason | None = None,
    is_more: bool = False,
) -> None:
    """Reserve what a job on `seconds` of sound costs, once per run of the job. Raises `QuotaExceeded`.

    With `is_more` it is added to what the job has reserved: nobody knows how long a live recording will be.
    `user_id` is whose work it is. With `free`, or after a run that failed by our fault, the work costs nothing. The
    usage is recorded in any case.
    """
    needed = priced(work, seconds)
    if needed <= 0:
        return
    account = await grants.prepare(session, payer_id)
    if not is_more and await reservations.open_parts(session, job_id):
        return
    if free is None and await reservations.failed_by_us(session, file_id, work):
        free = Reason.FAULT
    shares = await _shares(session, account, needed, free, is_payer=user_id in (None, payer_id))
    for share in shares:
        session.add(
            Movement(
                at=account.now,
                payer_id=payer_id,
                kind=MovementKind.RESERVE,
                funding=share.funding,
                grant_id=share.grant_id,
                price_minute=share.price_minute,
                job_id=job_id,
                file_id=file_id,
                team_id=team_id,
                user_id=user_id or payer_id,
                work=work,
                seconds=share.seconds,
                reason=free,
            )
        )
        await session.flush()
        if share.grant_id is not None:
            await reservations.change_grant(session, share.grant_id, available=-share.seconds, held=share.seconds)


async def _shares(
    session: AsyncSession, account: HeldAccount, needed: int, free: Reason | None, *, is_payer: bool
) -> list[_Share]:
    if not is_enforced(session):
        return [_Share(Funding.UNBILLED, needed)]
    limits = await limits_of(session, account.payer_id)
    if free is not None:
        return [_Share(Funding.FREE, needed)]
    if limits.seconds_per_month is None:
        return [_Share(Funding.UNLIMITED, needed)]
    shares = await _paid_shares(session, account, limits, needed)
    if shares is None and await _release_abandoned(session, account.payer_id):
        shares = await _paid_shares(session, account, limits, needed)
    if shares is None:
        balance = await balances.balance(session, account.payer_id)
        raise QuotaExceeded(refusal(needed, balance, is_payer=is_payer))
    return shares


async def _paid_shares(
    session: AsyncSession, account: HeldAccount, limits: PlanLimits, needed: int
) -> list[_Share] | None:
    """Who pays for these seconds; None if there are not enough."""
    shares, rest = [], needed
    for row in await grants.usable_grants(session, account.payer_id, account.now):
        taken = min(row.available, rest)
        if taken > 0:
            shares.append(_Share(Funding.GRANT, taken, row.id))
            rest -= taken
    if rest == 0:
        return shares
    extra = await balances.extra_of(session, account.payer_id, limits, account.now)
    if not extra.fits(rest):
        return None
    return [*shares, _Share(Funding.EXTRA, rest, price_minute=limits.price_minute)]


async def _release_abandoned(session: AsyncSession, payer_id: uuid.UUID) -> bool:
    jobs = await reservations.abandoned_jobs(session, payer_id)
    for job_id in jobs:
        await release(session, job_id, reason=Reason.FAULT)
    return bool(jobs)


async def settle(session: AsyncSession, job_id: uuid.UUID, seconds: int | None = None) -> int:
    """Turn what is reserved for a job into usage, or `seconds` of it and release the rest. Returns the usage."""
    return await reservations.close(session, job_id, seconds, None)


async def release(session: AsyncSession, job_id: uuid.UUID, *, reason: Reason | None = None) -> None:
    """Give back what is reserved for a job that did not finish. `fault` makes the next run free."""
    await reservations.close(session, job_id, 0, reason)


async def refund(session: AsyncSession, job_id: uuid.UUID, *, note: str) -> int:
    """Give back all that a finished job was charged. Returns the seconds, 0 if there was nothing to give back."""
    parts = await reservations.settled_parts(session, job_id)
    if not parts:
        return 0
    account = await lock_account(session, parts[0].payer_id)
    parts = await reservations.settled_parts(session, job_id)
    for part in parts:
        session.add(part.movement(MovementKind.REFUND, part.seconds, at=account.now, job_id=job_id, note=note))
        await session.flush()
        if part.grant_id is not None:
            await reservations.change_grant(session, part.grant_id, available=part.seconds, spent=-part.seconds)
    return sum(part.seconds for part in parts)


async def correct(session: AsyncSession, grant_id: uuid.UUID, seconds: int, *, note: str) -> None:
    """Add seconds to a grant, or take back what is left of it with a negative number. Raises `Conflict`."""
    row = await session.get(Grant, grant_id)
    if row is None:
        raise NotFound(NO_SUCH_GRANT)
    if row.source == GrantSource.CONTRACT:
        raise Conflict(CONTRACTS_CHANGE)
    account = await lock_account(session, row.payer_id)
    await session.refresh(row)
    if row.available + seconds < 0:
        raise Conflict(NOT_SO_MANY)
    await grants.move_available(session, account, grant_id, MovementKind.CORRECT, seconds, note)


async def allow_extra(session: AsyncSession, payer_id: uuid.UUID, *, allows_extra: bool, limit: int) -> None:
    """Whether usage may go beyond the grants, and the most that may cost in a month, in cents."""
    await lock_account(session, payer_id)
    account = await session.get_one(LedgerAccount, payer_id)
    account.allows_extra, account.extra_limit = allows_extra, limit


async def expire_due(session: AsyncSession, limit: int = 100) -> int:
    """Expire what is left of grants whose time is over, for at most `limit` payers. Returns how many there were."""
    payers = await grants.payers_with_expired(session, limit)
    for payer_id in payers:
        await grants.expire_of(session, await lock_account(session, payer_id))
    return len(payers)
