from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, utc_now
from api.platform.db.transitions import status_type


class ChallengeUse(StrEnum):
    ADD = "add"
    SIGN_IN = "sign_in"


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


class PasskeyChallenge(Base):
    """What a browser has to sign next, once. `browser_hash` is the hash of its session cookie."""

    __tablename__ = "passkey_challenges"

    browser_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    challenge: Mapped[bytes] = mapped_column(LargeBinary)
    used_for: Mapped[ChallengeUse] = mapped_column(status_type(ChallengeUse))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    expires_at: Mapped[datetime] = mapped_column(index=True)
