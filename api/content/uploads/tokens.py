"""Upload tokens: each may create one upload within 15 minutes, for one user and team."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from api.content.arrivals.models import TusUpload, UploadToken
from api.content.uploads.tus.records import PARTIAL
from api.people.access.rules import may_add
from api.people.auth.sessions import hash_token
from api.people.auth.viewer import Viewer
from api.people.users.models import BrowserSession
from api.platform.db import clock

LIFETIME = timedelta(minutes=15)
TOKEN_BYTES = 32
KEPT_AFTER_EXPIRY = timedelta(hours=1)


async def issue(session: AsyncSession, viewer: Viewer) -> tuple[str, datetime]:
    """A new token and when it expires. Only its hash is stored."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires_at: datetime = (await session.scalars(select(clock.now(LIFETIME.total_seconds())))).one()
    session.add(
        UploadToken(
            token_hash=hash_token(token),
            user_id=viewer.user_id,
            team_id=viewer.team_id,
            session_hash=viewer.session_hash,
            expires_at=expires_at,
        )
    )
    return token, expires_at


async def find(session: AsyncSession, token: str) -> UploadToken | None:
    """The token if it exists, has not expired, and its session and its person's place in the team have not ended.

    It may have been used.

    A token with partial uploads lives until they are concatenated, which may take hours.
    """
    lives = or_(UploadToken.expires_at > clock.now(), _has_parts())
    return await session.scalar(
        select(UploadToken).where(
            UploadToken.token_hash == hash_token(token), lives, _has_session(), may_add(UploadToken)
        )
    )


async def may_continue(connection: AsyncConnection, token_hash: str) -> bool:
    """Whether the token's session is still open and its person still in its team. The token itself may have expired:
    a large file takes hours."""
    return await connection.scalar(_MAY_CONTINUE, {"token_hash": token_hash}) is not None


async def may_resume(session: AsyncSession, upload_id: str) -> bool:
    """Whether the person of an upload is still in the team that it goes to."""
    statement = select(TusUpload.id).where(TusUpload.id == upload_id, may_add(TusUpload))
    return await session.scalar(statement) is not None


def _has_session() -> ColumnElement[bool]:
    is_open = exists().where(
        BrowserSession.token_hash == UploadToken.session_hash, BrowserSession.expires_at > clock.now()
    )
    return or_(UploadToken.session_hash.is_(None), is_open)


# Each PATCH runs it, so it is built once.
_MAY_CONTINUE = select(UploadToken.token_hash).where(
    UploadToken.token_hash == bindparam("token_hash"), _has_session(), may_add(UploadToken)
)


def _has_unfinished() -> ColumnElement[bool]:
    return exists().where(
        TusUpload.token_hash == UploadToken.token_hash,
        TusUpload.completed_at.is_(None),
        TusUpload.terminated_at.is_(None),
    )


def _has_parts() -> ColumnElement[bool]:
    return exists().where(
        TusUpload.token_hash == UploadToken.token_hash, TusUpload.concat == PARTIAL, TusUpload.terminated_at.is_(None)
    )


async def is_unspent(session: AsyncSession, token_hash: str) -> bool:
    found = await session.get(UploadToken, token_hash)
    return found is not None and found.used_at is None


async def spend(session: AsyncSession, token_hash: str) -> bool:
    """Use up a token. False if it was used before; of two concurrent calls one wins."""
    statement = (
        update(UploadToken)
        .where(UploadToken.token_hash == token_hash, UploadToken.used_at.is_(None))
        .values(used_at=clock.now())
        .returning(UploadToken.token_hash)
    )
    return (await session.scalar(statement)) is not None


async def remove_expired(session: AsyncSession) -> None:
    is_old = UploadToken.expires_at < clock.now(-KEPT_AFTER_EXPIRY.total_seconds())
    await session.execute(delete(UploadToken).where(is_old, ~_has_parts(), ~_has_unfinished()))
