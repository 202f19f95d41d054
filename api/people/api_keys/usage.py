"""The minutes that calls with a key use in a calendar month (UTC)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from sqlalchemy import case, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.api_keys.errors import KeyExhausted
from api.people.api_keys.models import ApiKey
from api.platform.db import clock


def month_of(time: datetime) -> str:
    """`2026-11`."""
    return f"{time.astimezone(UTC):%Y-%m}"


async def charge(session: AsyncSession, key_id: uuid.UUID, seconds: int) -> str | None:
    """Count seconds of sound against a key's limit and return the month. None when the key is gone.

    Raises `KeyExhausted`.
    """
    now = (await session.execute(select(clock.now()))).scalar_one()
    month = month_of(now)
    used = case((ApiKey.used_month == month, ApiKey.used_seconds), else_=0) + seconds
    counted = await session.execute(
        update(ApiKey)
        .where(ApiKey.id == key_id, or_(ApiKey.seconds_month.is_(None), used <= ApiKey.seconds_month))
        .values(used_seconds=used, used_month=month)
        .returning(ApiKey.id)
        .execution_options(synchronize_session=False)
    )
    if counted.one_or_none() is not None:
        return month
    limit = await session.scalar(select(ApiKey.seconds_month).where(ApiKey.id == key_id))
    if limit is None:
        return None
    raise KeyExhausted(limit // 60, retry_after_s=_until_next_month_s(now))


async def give_back(session: AsyncSession, key_id: uuid.UUID, month: str, seconds: int) -> None:
    """Undo a charge whose work did not finish. Does nothing in a later month."""
    await session.execute(
        update(ApiKey)
        .where(ApiKey.id == key_id, ApiKey.used_month == month, ApiKey.used_seconds >= seconds)
        .values(used_seconds=ApiKey.used_seconds - seconds)
        .execution_options(synchronize_session=False)
    )


def _until_next_month_s(now: datetime) -> int:
    now = now.astimezone(UTC)
    first = datetime(now.year + now.month // 12, now.month % 12 + 1, 1, tzinfo=UTC)
    return int((first - now).total_seconds()) + 1
