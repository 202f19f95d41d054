"""The passkeys that people sign in with."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, Text, exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, utc_now


class Passkey(HasId, Base):
    """A key pair on somebody's device or in their password manager (WebAuthn). We hold its public half.

    `credential_id` is in base64url. `sign_count` grows with each use where the authenticator counts; most do not.
    """

    __tablename__ = "passkeys"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[str] = mapped_column(Text, unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(default=0)
    name: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    used_at: Mapped[datetime | None] = mapped_column()


async def has_passkeys(session: AsyncSession, user_id: uuid.UUID) -> bool:
    return await session.scalar(select(exists().where(Passkey.user_id == user_id))) is True
