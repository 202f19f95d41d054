"""Minutes with which a new account tries the product before it needs a plan."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger import service as ledger
from api.people.plans.minutes import GrantSource
from api.people.users.models import User
from api.platform.db import clock
from api.platform.settings import ApiSettings


async def give_free_minutes(session: AsyncSession, settings: ApiSettings, user: User) -> None:
    """Give a new account the free minutes of this installation, once. Without billing nobody needs any."""
    if not settings.billing or settings.free_minutes == 0:
        return
    now: datetime = (await session.scalars(select(clock.now()))).one()
    await ledger.grant(
        session,
        payer_id=user.id,
        source=GrantSource.FREE,
        seconds=settings.free_minutes * 60,
        starts_at=now,
        expires_at=now + timedelta(days=settings.free_days),
        key=f"free:{user.id}",
    )
