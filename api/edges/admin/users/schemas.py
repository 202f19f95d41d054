from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from api.people.auth.schemas import Email, PersonName
from api.people.plans.models import SubscriptionStatus
from api.people.plans.tiers import BillingPeriod, PlanTier
from api.people.teams.models import TeamRole
from api.platform.http.downloads.csv_export import CsvPageQuery
from api.platform.http.limits import KEYWORD_MAX, PASSWORD_MAX, PASSWORD_MIN, PERSON_NAME_MAX, PERSONAL_NUMBER_MAX
from api.platform.http.text import CLEAN_LINE
from cluster.sizes import GB

HOUR_S = 3600
CENTS_MAX = 1_000_000_000
HOURS_MAX = 1_000_000
GIGABYTES_MAX = 1_000_000
USERS_MAX = 100_000
MINUTES_MAX = 1_000_000


def _none_if_empty(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


OPTIONAL = BeforeValidator(_none_if_empty)
Locale = Literal["en", "is"]
Contact = Annotated[Annotated[str, StringConstraints(max_length=PERSON_NAME_MAX), CLEAN_LINE] | None, OPTIONAL]
PersonalNumber = Annotated[
    Annotated[str, StringConstraints(max_length=PERSONAL_NUMBER_MAX), CLEAN_LINE] | None, OPTIONAL
]
Note = Annotated[str, StringConstraints(min_length=3, max_length=300), CLEAN_LINE]


class UserSort(StrEnum):
    """A leading minus means descending order."""

    NEWEST = "-created_at"
    OLDEST = "created_at"
    NAME = "name"
    NAME_LAST = "-name"
    EMAIL = "email"
    EMAIL_LAST = "-email"


class UserQuery(CsvPageQuery):
    """`q` is matched against names and e-mail addresses, or is a whole id. Several plans mean any of them."""

    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""
    plan: list[PlanTier] = Field(default_factory=list, max_length=len(PlanTier))
    verified: bool | None = None
    admin: bool | None = None
    deleted: bool = False
    team_id: uuid.UUID | None = None
    company_id: uuid.UUID | None = None
    sort: UserSort = UserSort.NEWEST


class CompanyRef(BaseModel):
    id: uuid.UUID
    name: str


class AdminUserOut(BaseModel):
    """A row of the list. `files` counts files outside the bin, `teams` teams that are not deleted."""

    id: uuid.UUID
    name: str
    email: str
    plan: PlanTier
    is_admin: bool
    has_second_factor: bool
    email_verified: bool
    company: CompanyRef | None
    teams: int
    files: int
    created_at: datetime
    suspended_at: datetime | None
    deleted_at: datetime | None


class ContractIn(BaseModel):
    """Prices in cents: a month, and one extra minute. Hours a month, gigabytes stored, people; null: no limit."""

    price_monthly: int = Field(0, ge=0, le=CENTS_MAX)
    price_minutes: int = Field(0, ge=0, le=CENTS_MAX)
    max_hours: int | None = Field(None, ge=0, le=HOURS_MAX)
    max_space: int | None = Field(None, ge=0, le=GIGABYTES_MAX)
    max_users: int | None = Field(None, ge=1, le=USERS_MAX)

    @property
    def max_seconds(self) -> int | None:
        return None if self.max_hours is None else self.max_hours * HOUR_S

    @property
    def max_bytes(self) -> int | None:
        return None if self.max_space is None else self.max_space * GB


class ContractChange(ContractIn):
    """Without `starts_at` it starts when it did, or now; without `ends_at` it has no end."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None


class ContractOut(ContractIn):
    max_hours: float | None  # type: ignore[assignment]
    max_space: float | None  # type: ignore[assignment]
    starts_at: datetime
    ends_at: datetime | None
    is_in_force: bool


class NewUser(ContractIn):
    """Without a password the person gets a mail with a link to choose one."""

    contact: Contact = None
    name: PersonName
    email: Email
    ssn: PersonalNumber = None
    password: Annotated[Annotated[str, Field(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)] | None, OPTIONAL] = None
    locale: Locale = "en"


class UserChange(BaseModel):
    """What is left out stays as it is. An empty `ssn` or `contact` removes it."""

    name: PersonName | None = None
    email: Email | None = None
    locale: Locale | None = None
    email_verified: bool | None = None
    contact: Annotated[str, StringConstraints(max_length=PERSON_NAME_MAX), CLEAN_LINE] | None = None
    ssn: Annotated[str, StringConstraints(max_length=PERSONAL_NUMBER_MAX), CLEAN_LINE] | None = None


class AdminChange(BaseModel):
    is_admin: bool


class Goodwill(BaseModel):
    """Minutes that cost nothing, usable for `days`."""

    minutes: int = Field(ge=1, le=MINUTES_MAX)
    days: int = Field(365, ge=1, le=3650)
    reason: Note


class SubscriptionRef(BaseModel):
    tier: PlanTier
    period: BillingPeriod
    status: SubscriptionStatus
    period_end: datetime | None
    cancel_at: datetime | None


class UserTeamOut(BaseModel):
    id: uuid.UUID
    name: str
    role: TeamRole
    is_payer: bool
    members: int


class ColleagueOut(BaseModel):
    """A colleague: somebody in a team of the user's."""

    id: uuid.UUID
    name: str
    email: str
    team_id: uuid.UUID
    team: str
    role: TeamRole


class SessionOut(BaseModel):
    """A browser in which the user is signed in."""

    created_at: datetime
    expires_at: datetime


class AdminUserDetail(AdminUserOut):
    """`ssn` is masked. `file_bytes` counts the originals of `files`; `sessions` browsers that are signed in."""

    locale: str
    contact: str | None
    ssn: str | None
    subscription: SubscriptionRef | None
    contract: ContractOut | None
    team_list: list[UserTeamOut]
    file_bytes: int
    file_seconds: int
    failed_files: int
    session_list: list[SessionOut]


class TeamOption(BaseModel):
    id: uuid.UUID
    name: str
    members: int
