from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints, field_validator, model_validator

from api.people.ledger.models import Funding, MovementKind, Reason
from api.people.ledger.month import MonthText
from api.people.plans.minutes import GrantSource
from api.platform.http.limits import LEDGER_NOTE_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.paging import PageQuery
from api.platform.http.text import CLEAN_LINE
from cluster.wording.message import Message

SECONDS_MAX = 10_000_000
"""Four months of sound: more than any call means."""
EXTRA_LIMIT_MAX = 10_000_00
"""Cents."""
FILES_MAX = 500


class LedgerGrantOut(BaseModel):
    """Seconds given. `id` is null for a contract's month that nothing has used yet."""

    id: uuid.UUID | None
    source: GrantSource
    seconds: int
    available: int
    held: int
    spent: int
    starts_at: datetime
    expires_at: datetime | None
    note: str | None


class LedgerExtraOut(BaseModel):
    """Minutes beyond the plan, in this calendar month. Money in cents. With `price_minute` 0 none are for sale."""

    is_allowed: bool
    limit: int
    price_minute: int
    seconds: int
    cents: int


class LedgerBalanceOut(BaseModel):
    """What a payer has left, in seconds. `included` and `available` are null where nothing limits them.

    `is_enforced` is false with billing off: then nothing is refused. `plan` is its label. `is_payer`: the reader may
    change the plan. `sees_all` is false for members of a team who see its balance alone. `storage_*` are bytes.
    """

    is_enforced: bool
    is_payer: bool
    sees_all: bool
    plan: str
    included: int | None
    available: int | None
    held: int
    spent: int
    renews_at: datetime | None
    grants: list[LedgerGrantOut]
    extra: LedgerExtraOut
    storage_used: int
    storage_limit: int | None
    seats_used: int
    seats_limit: int | None
    first_month: str
    """The first month with movements, as `2026-11`."""
    this_month: str


class LedgerFileOut(BaseModel):
    slug: str
    name: str


class MovementOut(BaseModel):
    """One movement. `seconds` is positive, for `correct` also negative. `file` is null when the reader cannot open it.

    `source` is that of the grant that paid, `cents` what extra seconds cost. `user` did the work, which
    `work_name` names.
    """

    id: str
    at: datetime
    kind: MovementKind
    funding: Funding
    source: GrantSource | None
    work: str | None
    work_name: PageText | None
    seconds: int
    cents: int
    file: LedgerFileOut | None
    file_id: uuid.UUID | None
    job_id: uuid.UUID | None
    user: str | None
    reason: Reason | None
    note: str | None
    is_refunded: bool


class MovementQuery(PageQuery):
    """`month` such as `2026-11`; all months without it. `all`: with reservations that have ended, and releases."""

    team: uuid.UUID | None = None
    payer: uuid.UUID | None = None
    month: MonthText | None = None
    all: bool = False


class UsageLineOut(BaseModel):
    work: str
    work_name: PageText
    funding: Funding
    seconds: int
    cents: int


class UsageOut(BaseModel):
    """A month's usage in seconds. `extra_cents` is what the invoice of the month charges for extra minutes."""

    month: str
    lines: list[UsageLineOut]
    seconds: int
    extra_seconds: int
    extra_cents: int


class QuoteIn(BaseModel):
    """Sound in seconds, or files by id; files that are not prepared count nothing."""

    seconds: float | None = Field(None, ge=0, le=SECONDS_MAX)
    file_ids: list[uuid.UUID] | None = Field(None, max_length=FILES_MAX)

    @model_validator(mode="after")
    def _has_one(self) -> QuoteIn:
        if self.seconds is None and self.file_ids is None:
            raise ValueError(Message("ledger.give_seconds_or_files", "Give seconds or files."))
        return self


class QuoteOut(BaseModel):
    """What the work will use. `sentence` is null with billing off. `extra` seconds cost `extra_cents`."""

    seconds: int
    fits: bool
    included: int
    extra: int
    extra_cents: int
    available: int | None
    sentence: PageText | None


class ExtraIn(BaseModel):
    """Whether usage may go beyond the plan, and the most that may cost in a month, in cents."""

    is_allowed: bool
    limit: int = Field(ge=0, le=EXTRA_LIMIT_MAX)


LedgerNote = Annotated[str, StringConstraints(min_length=1, max_length=LEDGER_NOTE_MAX), CLEAN_LINE]


class RefundIn(BaseModel):
    note: LedgerNote


class RefundOut(BaseModel):
    seconds: int


class CorrectionIn(BaseModel):
    """Seconds to add to a grant, or with a negative number to take back."""

    seconds: int = Field(ge=-SECONDS_MAX, le=SECONDS_MAX)
    note: LedgerNote

    @field_validator("seconds")
    @classmethod
    def _changes_something(cls, seconds: int) -> int:
        if seconds == 0:
            raise ValueError(Message("ledger.correction_empty", "Say how much to add or to take back."))
        return seconds
