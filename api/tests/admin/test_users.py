"""The list of accounts and one account, for administrators."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from api.people.audit.models import AuditEntry
from api.people.plans.models import Contract, Subscription
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
SSN = "120174-3399"


async def names(admin: Browser, query: str) -> list[str]:
    answer = await admin.get(f"/api/admin/users?{query}")
    assert answer.status_code == 200, answer.text
    data = answer.json()
    assert data["meta"]["total"] == len(data["data"])
    return [user["name"] for user in data["data"]]


async def test_people_are_found_by_every_filter(admin: Browser, ada: Browser, bob: Browser, state: AppState) -> None:
    now = utc_now()
    async with state.database.write() as session:
        people = [
            User(name=name, email=f"{name.lower()}@list.example", password_hash="-", email_verified_at=now)
            for name in ("Carol", "Þórdís", "Erin")
        ]
        session.add_all(people)
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        carol, thordis, erin = people
        erin.deleted_at = now
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=TeamRole.EDITOR))
        session.add(Contract(user_id=carol.id, starts_at=now - timedelta(days=1)))
        # A contract that is over leaves the subscription to count.
        session.add(Contract(user_id=thordis.id, starts_at=now - timedelta(days=9), ends_at=now - timedelta(days=1)))
        for person, tier, status in ((thordis, "creator", "active"), (carol, "business", "active")):
            session.add(Subscription(user_id=person.id, stripe_id=tier, tier=tier, period="monthly", status=status))
    assert await names(admin, "sort=name") == ["Ada", "Bob", "Carol", "Root", "Þórdís"]
    assert await names(admin, "q=ÞÓRDÍS") == ["Þórdís"]
    assert await names(admin, "q=Carol@LIST") == ["Carol"]
    assert await names(admin, f"q={ada.user_id}") == ["Ada"]
    assert await names(admin, "deleted=true") == ["Erin"]
    assert await names(admin, "admin=true") == ["Root"]
    assert await names(admin, "verified=true&sort=name") == ["Carol", "Þórdís"]
    assert await names(admin, f"team_id={team.id}") == ["Bob"]
    assert await names(admin, "plan=corporate") == ["Carol"]
    assert await names(admin, "plan=creator") == ["Þórdís"]
    assert await names(admin, "plan=business") == []
    assert await names(admin, "plan=none&sort=email") == ["Ada", "Bob", "Root"]
    assert await names(admin, "plan=none&plan=creator&sort=-email&q=example.com") == ["Root", "Bob", "Ada"]
    page = (await admin.get("/api/admin/users?sort=name&per_page=2&page=2")).json()
    assert ([user["name"] for user in page["data"]], page["meta"]["total"]) == (["Carol", "Root"], 5)
    assert page["data"][0]["plan"] == "corporate"
    answer = await admin.get("/api/admin/users?format=csv&sort=name")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert [row["name"] for row in rows] == ["Ada", "Bob", "Carol", "Root", "Þórdís"]
    assert (await admin.get("/api/admin/teams?q=NEWS")).json()["data"] == [
        {"id": str(team.id), "name": "Newsroom", "members": 1}
    ]


@pytest.mark.long
async def test_one_account_is_shown_whole_and_changed(admin: Browser, ada: Browser, state: AppState) -> None:
    await uploaded_file(state, ada.user_id, content=b"12345")
    path = f"/api/admin/users/{ada.user_id}"
    shown = (await admin.get(path)).json()["data"]
    assert (shown["files"], shown["file_bytes"], shown["ssn"], shown["contract"]) == (1, 5, None, None)
    assert len(shown["session_list"]) == 1
    body = {"name": "Ada L.", "email": "Lovelace@Example.com", "contact": "Her agent", "ssn": SSN, "locale": "is"}
    answer = await admin.put(path, json=body)
    changed = answer.json()["data"]
    assert (changed["name"], changed["email"], changed["locale"]) == ("Ada L.", "lovelace@example.com", "is")
    assert (changed["contact"], changed["ssn"]) == ("Her agent", "•••• 3399")
    for more in ({}, {"contact": "Somebody else"}):
        taken = await admin.put(path, json={"email": "root@example.com", **more})
        assert (taken.status_code, list(taken.json()["errors"])) == (422, ["email"])
    cleared = (await admin.put(path, json={"ssn": "", "contact": ""})).json()["data"]
    assert (cleared["ssn"], cleared["contact"], cleared["name"]) == (None, None, "Ada L.")
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "user.updated"))).all()
    assert [sorted(entry.details["fields"]) for entry in entries] == [
        ["contact", "email", "locale", "name", "ssn"],
        ["contact", "ssn"],
    ]


@SQLITE
async def test_a_personal_number_is_nowhere(
    admin: Browser, ada: Browser, state: AppState, capfd: pytest.CaptureFixture[str]
) -> None:
    path = f"/api/admin/users/{ada.user_id}"
    answers = [await admin.put(path, json={"ssn": SSN}), await admin.put(path, json={"ssn": SSN + "x" * 100})]
    for url in (path, f"{path}/members", "/api/admin/users", "/api/admin/users?format=csv", "/api/admin/audit"):
        answers.append(await admin.get(url))
    answers += [await ada.get(url) for url in ("/api/user", "/api/user/log")]
    for answer in answers:
        assert SSN not in answer.text
        assert "1201743399" not in answer.text
    out = capfd.readouterr()
    assert SSN not in out.out + out.err
    database = state.settings.db_url.removeprefix("sqlite+aiosqlite:///")
    async with state.database.write() as session:
        await session.execute(text("SELECT 1"))
    for suffix in ("", "-wal"):
        with open(database + suffix, "rb") as file:  # noqa: ASYNC230
            assert SSN.encode() not in file.read()


@pytest.mark.long
async def test_there_is_always_an_administrator(admin: Browser, ada: Browser, state: AppState) -> None:
    own, path = f"/api/admin/users/{admin.user_id}/admin", f"/api/admin/users/{ada.user_id}/admin"
    refused = await admin.put(own, json={"is_admin": False})
    assert refused.status_code == 409
    assert (await admin.put(path, json={"is_admin": True})).json()["data"]["is_admin"] is True
    assert (await ada.get("/api/admin/users")).status_code == 200
    assert (await ada.put(own, json={"is_admin": False})).status_code == 200
    assert (await admin.get("/api/admin/users")).status_code == 403
    assert (await ada.put(path, json={"is_admin": False})).status_code == 409


@SQLITE
async def test_a_promotion_ends_what_looks_into_the_account(
    admin: Browser, ada: Browser, bob: Browser, state: AppState
) -> None:
    await promote(state, bob.user_id)
    assert (await bob.post("/api/browse-as", json={"id": str(ada.user_id), "reason": "Support"})).status_code == 200
    await admin.put(f"/api/admin/users/{ada.user_id}/admin", json={"is_admin": True})
    answer = await bob.get("/api/files")
    assert (answer.status_code, answer.json()["code"]) == (409, "browse_as_ended")


@SQLITE
async def test_colleagues_are_listed_team_by_team(admin: Browser, ada: Browser, bob: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        team, other = Team(name="Newsroom"), Team(name="Elsewhere")
        session.add_all([team, other])
        await session.flush()
        for member, role in ((ada, TeamRole.OWNER), (bob, TeamRole.VIEWER)):
            session.add(Membership(team_id=team.id, user_id=member.user_id, role=role))
        session.add(Membership(team_id=other.id, user_id=admin.user_id, role=TeamRole.OWNER))
    members = (await admin.get(f"/api/admin/users/{ada.user_id}/members")).json()["data"]
    assert [(member["name"], member["team"], member["role"]) for member in members] == [
        ("Ada", "Newsroom", "owner"),
        ("Bob", "Newsroom", "viewer"),
    ]
