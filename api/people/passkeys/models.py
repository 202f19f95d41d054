from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base
from api.platform.db.transitions import status_type


class ChallengeUse(StrEnum):
    ADD = "add"
    SIGN_IN = "sign_in"
    CONFIRM = "confirm"
    """Somebody who is signed in shows once more who they are."""


class PasskeyChallenge(Base):
    """What a browser has to sign next, once. `browser_hash` is the hash of its session cookie."""

    __tablename__ = "passkey_challenges"

    browser_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    challenge: Mapped[bytes] = mapped_column(LargeBinary)
    used_for: Mapped[ChallengeUse] = mapped_column(status_type(ChallengeUse))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    expires_at: Mapped[datetime] = mapped_column(index=True)
