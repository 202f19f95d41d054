"""Who reads which language."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.users.models import User
from api.platform.db.expressions import in_list


async def with_locale(session: AsyncSession, user_ids: Iterable[uuid.UUID], locale: str) -> frozenset[uuid.UUID]:
    """Those of the people whose account is in this language."""
    statement = select(User.id).where(in_list(session, User.id, list(user_ids)), User.locale == locale)
    return frozenset((await session.scalars(statement)).all())
