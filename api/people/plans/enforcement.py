"""Whether plans limit what people may do, and a refusal for a plan's sake: no right is missing."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import BILLING
from api.platform.http.errors import ApiError


def is_enforced(session: AsyncSession) -> bool:
    """The setting `billing`. When false, nothing is refused for a plan's sake; usage is recorded all the same."""
    return bool(session.info.get(BILLING, False))


class PlanRefusal(ApiError):
    """The sentence says what is used up and what to do. Pages branch on `code`."""

    status_code = 402
