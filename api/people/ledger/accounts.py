"""The row that serializes the ledger of one payer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.models import LedgerAccount
from api.platform.db import clock


@dataclass(frozen=True, slots=True)
class HeldAccount:
    """An account that this transaction has locked, and the database's time."""

    payer_id: uuid.UUID
    allows_extra: bool
    extra_limit: int
    now: datetime


async def lock_account(session: AsyncSession, payer_id: uuid.UUID) -> HeldAccount:
    """Lock a payer's ledger until the transaction ends. Lock jobs, files and uploads before."""
    await session.flush()
    statement = (
        select(LedgerAccount, clock.now())
        .where(LedgerAccount.payer_id == payer_id)
        .with_for_update(of=LedgerAccount)
        .execution_options(populate_existing=True)
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        insert: Any = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        values = {"payer_id": payer_id, "allows_extra": False, "extra_limit": 0}
        await session.execute(insert(LedgerAccount).values(values).on_conflict_do_nothing())
        row = (await session.execute(statement)).one()
    account, now = row
    return HeldAccount(account.payer_id, account.allows_extra, account.extra_limit, now)
