"""End sessions together with their realtime connections."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from api.people.auth import session_ends
from api.people.auth.cookies import session_cookie
from api.platform.jobs.outbox import end_connections
from api.platform.settings import ApiSettings


async def close_session(session: AsyncSession, settings: ApiSettings, request: Request) -> None:
    cookie = request.cookies.get(session_cookie(settings), "")
    end_connections(session, await session_ends.end(session, cookie))


async def sign_out_everywhere(
    session: AsyncSession, user_id: uuid.UUID, *, but: uuid.UUID | None = None
) -> Sequence[uuid.UUID]:
    """End a person's sessions and their realtime connections, except the session `but`. Returns those that ended."""
    ended = await session_ends.end_all(session, user_id, but=but)
    end_connections(session, ended)
    return ended
