from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, utc_now
from api.platform.db.transitions import status_type


class Purpose(StrEnum):
    """Why a browser is on its way to a provider: to sign in, to link an account, or to show again who it is."""

    SIGN_IN = "sign_in"
    LINK = "link"
    CONFIRM = "confirm"


class ProviderRow(HasTimes, Base):
    """A provider that an administrator has added. `described` is a `Provider`; the secret is stored encrypted."""

    __tablename__ = "identity_providers"

    slug: Mapped[str] = mapped_column(String(40), primary_key=True)
    described: Mapped[dict[str, Any]] = mapped_column()
    secret: Mapped[str | None] = mapped_column(Text)
    is_enabled: Mapped[bool] = mapped_column(default=True)


class Identity(HasId, HasTimes, Base):
    """The person whom an issuer calls `subject` is this account. An issuer never gives a subject to somebody else
    (OpenID Connect Core, 2); addresses change hands, so they link nothing."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
    provider: Mapped[str] = mapped_column(String(40))
    email: Mapped[str | None] = mapped_column(String(254))
    """The address that the provider named last, for the page that lists identities."""
    used_at: Mapped[datetime] = mapped_column(default=utc_now)


class ProviderSession(Base):
    """The session at a provider behind a browser session, so that either can end the other."""

    __tablename__ = "provider_sessions"
    __table_args__ = (Index("ix_provider_sessions_subject", "issuer", "subject"),)

    session_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("browser_sessions.id", ondelete="CASCADE"), primary_key=True
    )
    provider: Mapped[str] = mapped_column(String(40))
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
    sid: Mapped[str | None] = mapped_column(String(255), index=True)
    id_token: Mapped[str] = mapped_column(Text)
    """Encrypted. The provider wants it back as a hint at sign-out."""


class SignInRequest(Base):
    """A browser that we sent to a provider. Its answer is taken once, from the same browser.

    `browser_hash` is the hash of the browser's session cookie; `user_id` the account that is signed in, if one must be.
    """

    __tablename__ = "sign_in_requests"

    state_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    browser_hash: Mapped[str] = mapped_column(String(64))
    provider: Mapped[str] = mapped_column(String(40))
    purpose: Mapped[Purpose] = mapped_column(status_type(Purpose))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    nonce: Mapped[str] = mapped_column(String(64))
    verifier: Mapped[str] = mapped_column(String(128))
    redirect_uri: Mapped[str] = mapped_column(String(600))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column(index=True)
