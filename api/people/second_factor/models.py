from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, utc_now


class AuthenticatorApp(Base):
    """An app that shows a code every 30 s (TOTP, RFC 6238). Its secret is stored encrypted.

    It counts once `User.second_factor_at` is set: the person has entered a code of it. `last_step` is the time step of
    the last code that was taken, so that none is taken twice.
    """

    __tablename__ = "authenticator_apps"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str] = mapped_column(Text)
    last_step: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class RecoveryCode(HasId, Base):
    """A code that stands in for the app once. Only its hash is stored; a used one has no row."""

    __tablename__ = "recovery_codes"
    __table_args__ = (Index("ix_recovery_codes_user_id", "user_id"),)

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    code_hash: Mapped[str] = mapped_column(String(64))


class TrustedBrowser(Base):
    """A browser that need not give a code for a while. Only the hash of its cookie is stored."""

    __tablename__ = "trusted_browsers"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class WaitingSignIn(Base):
    """A browser in which somebody has given the right password, and not yet a code.

    `browser_hash` is the hash of its session cookie. With `restore` the person takes a deleted account back.
    """

    __tablename__ = "waiting_sign_ins"

    browser_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    restore: Mapped[bool] = mapped_column(default=False)
    expires_at: Mapped[datetime] = mapped_column(index=True)
