"""Whether plans limit what people may do."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import BILLING


def is_enforced(session: AsyncSession) -> bool:
    """The setting `billing`. When false, nothing is refused for a plan's sake; usage is recorded all the same."""
    return bool(session.info.get(BILLING, False))
