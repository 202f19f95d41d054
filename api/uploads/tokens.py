"""Upload tokens: each lets one upload be created, within 15 minutes, for the user and team it was made for."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.sessions import hash_token
from api.auth.viewer import Viewer
from api.db.base import utc_now
from api.uploads.models import UploadToken

LIFETIME = timedelta(minutes=15)
TOKEN_BYTES = 32
KEPT_AFTER_EXPIRY = timedelta(hours=1)


async def issue(session: AsyncSession, viewer: Viewer) -> tuple[str, datetime]:
    """A new token and when it expires. Only its hash is stored."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires_at = utc_now() + LIFETIME
    session.add(
        UploadToken(token_hash=hash_token(token), user_id=viewer.user_id, team_id=viewer.team_id, expires_at=expires_at)
    )
    return token, expires_at


async def find(session: AsyncSession, token: str) -> UploadToken | None:
    """The token when it is known and has not expired; it may have been used."""
    found = await session.get(UploadToken, hash_token(token))
    return found if found is not None and found.expires_at > utc_now() else None


async def spend(session: AsyncSession, token_hash: str) -> bool:
    """Use a token up; False when it was used before. Of two at the same moment one wins."""
    statement = (
        update(UploadToken)
        .where(UploadToken.token_hash == token_hash, UploadToken.used_at.is_(None))
        .values(used_at=utc_now())
        .returning(UploadToken.token_hash)
    )
    return (await session.scalar(statement)) is not None


async def remove_expired(session: AsyncSession) -> None:
    await session.execute(delete(UploadToken).where(UploadToken.expires_at < utc_now() - KEPT_AFTER_EXPIRY))
