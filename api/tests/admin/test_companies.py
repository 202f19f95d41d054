"""Companies: what administrators write about them, and who belongs to them."""

from __future__ import annotations

import csv
import io
import uuid
from typing import Any

import pytest
from sqlalchemy import select

from api.people.audit.models import AuditEntry
from api.people.plans.models import Contract
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import Browser

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ACME = {"name": "Acme ehf.", "registration_number": "550101-1230", "vat_number": "", "country": "IS", "contact": "Wile"}


async def create(admin: Browser, **values: Any) -> dict[str, Any]:
    answer = await admin.post("/api/admin/companies", json=ACME | values)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def test_a_company_is_written_changed_deleted_and_restored(admin: Browser, state: AppState) -> None:
    company = await create(admin)
    assert (company["vat_number"], company["users"], company["user_list"]) == (None, 0, [])
    path = f"/api/admin/companies/{company['id']}"
    changed = (await admin.put(path, json=ACME | {"name": "Acme hf.", "vat_number": "12345"})).json()["data"]
    assert (changed["name"], changed["vat_number"]) == ("Acme hf.", "12345")
    twice = await admin.post("/api/admin/companies", json=ACME)
    assert (twice.status_code, list(twice.json()["errors"])) == (422, ["registration_number"])
    assert (await admin.delete(path)).status_code == 204
    assert (await admin.put(path, json=ACME)).status_code == 409
    assert (await admin.get("/api/admin/companies")).json()["data"] == []
    assert len((await admin.get("/api/admin/companies?deleted=true")).json()["data"]) == 1
    # The number is free again, until the restore needs it.
    other = await create(admin, name="Other")
    assert (await admin.post(f"{path}/restore")).status_code == 422
    assert (await admin.delete(f"/api/admin/companies/{other['id']}")).status_code == 204
    assert (await admin.post(f"{path}/restore")).json()["data"]["deleted_at"] is None
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.object_id == company["id"]))).all()
    assert sorted(entry.action for entry in entries) == [
        "company.created",
        "company.deleted",
        "company.restored",
        "company.updated",
    ]
    assert {entry.actor_id for entry in entries} == {admin.user_id}


async def test_people_and_teams_belong_to_at_most_one_company(
    admin: Browser, ada: Browser, bob: Browser, state: AppState
) -> None:
    first, second = await create(admin), await create(admin, name="Zulu", registration_number="1")
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
        session.add(Contract(user_id=ada.user_id, price_monthly=25_000, starts_at=utc_now()))
    ids = [str(ada.user_id), str(bob.user_id)]
    path = f"/api/admin/companies/{first['id']}"
    detail = (await admin.put(f"{path}/users", json={"add": ids})).json()["data"]
    assert [user["name"] for user in detail["user_list"]] == ["Ada", "Bob"]
    assert (detail["contracts"], detail["price_monthly"]) == (1, 25_000)
    detail = (await admin.put(f"{path}/teams", json={"add": [str(team.id)]})).json()["data"]
    assert detail["team_list"] == [{"id": str(team.id), "name": "Newsroom", "members": 1}]

    await admin.put(f"/api/admin/companies/{second['id']}/users", json={"add": ids[1:]})
    await admin.put(f"{path}/users", json={"remove": ids[:1]})
    rows = (await admin.get("/api/admin/companies?sort=-name")).json()["data"]
    assert [(row["name"], row["users"], row["teams"], row["contracts"]) for row in rows] == [
        ("Zulu", 1, 0, 0),
        ("Acme ehf.", 0, 1, 0),
    ]
    unknown = await admin.put(f"{path}/users", json={"add": [str(uuid.uuid4())]})
    assert unknown.status_code == 422


@SQLITE
async def test_the_list_is_searched_paged_and_exported(admin: Browser) -> None:
    for number in range(5):
        await create(admin, name=f"=Firm {number}", registration_number=f"{number}", email=f"f{number}@firm.example")
    await create(admin, name="Ísbúð", registration_number="x", contact="Þóra")
    found = (await admin.get("/api/admin/companies?q=þóra")).json()
    assert ([row["name"] for row in found["data"]], found["meta"]["total"]) == (["Ísbúð"], 1)
    assert (await admin.get("/api/admin/companies?q=F3@FIRM")).json()["meta"]["total"] == 1
    page = (await admin.get("/api/admin/companies?per_page=2&page=2")).json()
    assert ([row["name"] for row in page["data"]], page["meta"]["total"]) == (["=Firm 2", "=Firm 3"], 6)
    answer = await admin.get("/api/admin/companies?format=csv&q=firm")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert [row["name"] for row in rows] == [f"'=Firm {number}" for number in range(5)]
