from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.people.api_keys.limits import (
    EXPIRES_DAYS_MAX,
    MINUTES_MONTH_MAX,
    NAME_MAX,
    REQUESTS_MINUTE,
    REQUESTS_MINUTE_MAX,
)
from api.people.api_keys.scopes import Scope
from api.platform.http.text import CLEAN_LINE


class NewApiKey(BaseModel):
    """Without `expires_days` a key does not expire; without `minutes_month` only the plan limits its minutes."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_MAX), CLEAN_LINE]
    scopes: list[Scope] = Field(min_length=1, max_length=len(Scope))
    expires_days: int | None = Field(None, ge=1, le=EXPIRES_DAYS_MAX)
    minutes_month: int | None = Field(None, ge=1, le=MINUTES_MONTH_MAX)
    requests_minute: int = Field(REQUESTS_MINUTE, ge=1, le=REQUESTS_MINUTE_MAX)


class ApiKeyOut(BaseModel):
    """`prefix` is how the key begins. `maker` is who made it, `team_id` the team that it acts for.

    `seconds_used` counts this calendar month (UTC).
    """

    id: uuid.UUID
    name: str
    prefix: str
    scopes: list[Scope]
    team_id: uuid.UUID | None
    maker: str
    is_own: bool
    created_at: datetime
    expires_at: datetime | None
    has_expired: bool
    last_used_at: datetime | None
    requests_minute: int
    minutes_month: int | None
    seconds_used: int


class MadeApiKey(ApiKeyOut):
    """`secret` is shown this once: only its hash is stored."""

    secret: str
