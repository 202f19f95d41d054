from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel


class TeamOut(BaseModel):
    id: uuid.UUID
    name: str
    is_active: bool


class BrowseAs(BaseModel):
    """An administrator is using this account: their name, until when, and whether they may change things."""

    admin_name: str
    ends_at: datetime
    may_change: bool


class UserOut(BaseModel):
    id: uuid.UUID
    name: str
    email: str
    teams: list[TeamOut]
    has_subscription: bool
    has_team: bool
    has_incomplete_payment: bool
    has_ended_subscription: bool
    is_admin: bool
    browse_as: BrowseAs | None = None
