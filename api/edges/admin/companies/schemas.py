from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from api.people.auth.schemas import Email
from api.people.companies.queries import CompanyMember, CompanyRow, CompanySort, CompanyTeamRow
from api.platform.http.downloads.csv_export import CsvPageQuery
from api.platform.http.limits import (
    ADDRESS_MAX,
    ADMIN_NOTE_MAX,
    COMPANY_NAME_MAX,
    COMPANY_NUMBER_MAX,
    KEYWORD_MAX,
    PERSON_NAME_MAX,
)
from api.platform.http.text import CLEAN_LINE

ASSIGNED_MAX = 500


def _none_if_empty(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


OPTIONAL = BeforeValidator(_none_if_empty)
Number = Annotated[str, StringConstraints(max_length=COMPANY_NUMBER_MAX), CLEAN_LINE]


class CompanyIn(BaseModel):
    """What an administrator writes about a company. Empty text means nothing."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=COMPANY_NAME_MAX), CLEAN_LINE]
    registration_number: Annotated[Number | None, OPTIONAL] = None
    vat_number: Annotated[Number | None, OPTIONAL] = None
    contact: Annotated[Annotated[str, StringConstraints(max_length=PERSON_NAME_MAX), CLEAN_LINE] | None, OPTIONAL] = (
        None
    )
    email: Annotated[Email | None, OPTIONAL] = None
    phone: Annotated[Number | None, OPTIONAL] = None
    address: Annotated[Annotated[str, StringConstraints(max_length=ADDRESS_MAX), CLEAN_LINE] | None, OPTIONAL] = None
    country: Annotated[Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2}$", to_upper=True)] | None, OPTIONAL] = (
        None
    )
    note: Annotated[Annotated[str, StringConstraints(max_length=ADMIN_NOTE_MAX), CLEAN_LINE] | None, OPTIONAL] = None


class CompanyQuery(CsvPageQuery):
    """`q` is matched against name, numbers, contact and e-mail."""

    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""
    deleted: bool = False
    sort: CompanySort = CompanySort.NAME


class Assignment(BaseModel):
    """Who joins and who leaves. One that joins leaves its former company."""

    add: list[uuid.UUID] = Field(default_factory=list, max_length=ASSIGNED_MAX)
    remove: list[uuid.UUID] = Field(default_factory=list, max_length=ASSIGNED_MAX)


class CompanyOut(CompanyIn):
    """`contracts` counts the people of the company with a contract; `price_monthly` is what those cost, in cents."""

    email: str | None = None
    id: uuid.UUID
    users: int
    teams: int
    contracts: int
    price_monthly: int
    created_at: datetime
    deleted_at: datetime | None


class CompanyMemberOut(BaseModel):
    id: uuid.UUID
    name: str
    email: str
    is_deleted: bool
    has_contract: bool
    price_monthly: int


class CompanyTeamOut(BaseModel):
    id: uuid.UUID
    name: str
    members: int


class CompanyDetail(CompanyOut):
    user_list: list[CompanyMemberOut]
    team_list: list[CompanyTeamOut]


def describe(row: CompanyRow) -> CompanyOut:
    company = row.company
    return CompanyOut(
        id=company.id,
        name=company.name,
        registration_number=company.registration_number,
        vat_number=company.vat_number,
        contact=company.contact,
        email=company.email,
        phone=company.phone,
        address=company.address,
        country=company.country,
        note=company.note,
        users=row.users,
        teams=row.teams,
        contracts=row.contracts,
        price_monthly=row.price_monthly,
        created_at=company.created_at,
        deleted_at=company.deleted_at,
    )


def describe_detail(row: CompanyRow, users: list[CompanyMember], teams: list[CompanyTeamRow]) -> CompanyDetail:
    return CompanyDetail(
        **describe(row).model_dump(),
        user_list=[
            CompanyMemberOut(
                id=user.id,
                name=user.name,
                email=user.email,
                is_deleted=user.deleted_at is not None,
                has_contract=user.has_contract,
                price_monthly=user.price_monthly,
            )
            for user in users
        ],
        team_list=[CompanyTeamOut(id=team.id, name=team.name, members=team.members) for team in teams],
    )
