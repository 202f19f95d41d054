from __future__ import annotations

import uuid

from pydantic import BaseModel


class TeamOut(BaseModel):
    id: uuid.UUID
    name: str
    is_active: bool


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
