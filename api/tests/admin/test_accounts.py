"""Accounts that administrators make, delete and restore."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from api.people.audit.models import AuditEntry
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.testing.browser import PASSWORD, Browser, SignUp

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
NEW: dict[str, Any] = {
    "contact": "Their office",
    "name": "Grace",
    "email": "grace@corp.example",
    "ssn": "120174-3399",
    "password": PASSWORD,
    "price_monthly": 25_000,
    "price_minutes": 4,
    "max_hours": 100,
    "max_space": 500,
    "max_users": 12,
}


async def sign_in(browser: Browser, email: str, password: str) -> int:
    return (await browser.post("/login", json={"email": email, "password": password})).status_code


async def test_an_account_with_a_password_works_at_once(admin: Browser, visitor: Browser, state: AppState) -> None:
    answer = await admin.post("/api/user/create", json=NEW | {"is_admin": True})
    assert answer.status_code == 201, answer.text
    made = answer.json()["data"]
    assert (made["plan"], made["is_admin"], made["ssn"], made["contact"]) == (
        "corporate",
        False,
        "•••• 3399",
        "Their office",
    )
    assert (made["contract"]["max_hours"], made["contract"]["max_space"], made["email_verified"]) == (100, 500, True)
    assert await sign_in(visitor, "grace@corp.example", PASSWORD) == 200
    taken = await admin.post("/api/user/create", json=NEW)
    assert (taken.status_code, list(taken.json()["errors"])) == (422, ["email"])
    for field, value in (("password", "password1"), ("price_monthly", -1), ("max_users", 0), ("name", " ")):
        refused = await admin.post("/api/user/create", json=NEW | {"email": "x@corp.example", field: value})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, [field])
    async with state.database.read() as session:
        mails = (await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == "mail"))).all()
        assert [mail for mail in mails if mail.payload["kind"] == "welcome"] == []
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.actor_id == admin.user_id))).all()
    assert {entry.action for entry in entries} == {"account.signed_in", "user.created", "contract.set"}
    assert "3399" not in str([entry.details for entry in entries])


async def test_without_a_password_a_mail_leads_to_one(admin: Browser, visitor: Browser, state: AppState) -> None:
    body = NEW | {"password": "", "ssn": "", "contact": None, "locale": "is"}
    made = (await admin.post("/api/user/create", json=body)).json()["data"]
    assert (made["email_verified"], made["ssn"]) == (False, None)
    for password in ("", "!", PASSWORD):
        assert await sign_in(visitor, "grace@corp.example", password) == 422
    async with state.database.read() as session:
        mails = (await session.scalars(select(OutboxMessage.payload).where(OutboxMessage.topic == "mail"))).all()
    (mail,) = [mail for mail in mails if mail["kind"] == "welcome"]
    assert (mail["to"], mail["locale"], mail["name"]) == ("grace@corp.example", "is", "Grace")
    token = mail["link"].split("/reset/")[1].split("/")[0]
    reset = {"token": token, "email": "grace@corp.example", "password": PASSWORD, "password_confirmation": PASSWORD}
    assert (await visitor.post("/reset-password", json=reset)).status_code == 204
    assert await sign_in(visitor, "grace@corp.example", PASSWORD) == 200
    assert (await visitor.get("/api/user")).json()["data"]["email_verified"] is True


async def test_an_account_is_deleted_and_restored(admin: Browser, ada: Browser, sign_up: SignUp) -> None:
    path = f"/api/admin/users/{ada.user_id}"
    assert (await admin.delete(path)).status_code == 204
    assert (await admin.delete(path)).status_code == 204
    assert (await ada.get("/api/user")).status_code == 401
    assert (await admin.get(path)).json()["data"]["deleted_at"] is not None
    assert (await admin.post("/api/browse-as", json={"id": str(ada.user_id), "reason": "Support"})).status_code == 404
    for call in (admin.put(path, json={"name": "x"}), admin.post(f"{path}/reset-link")):
        assert (await call).status_code == 409
    assert (await admin.post(f"{path}/restore")).json()["data"]["deleted_at"] is None
    assert await sign_in(ada, "ada@example.com", PASSWORD) == 200
    assert (await admin.delete(f"/api/admin/users/{admin.user_id}")).status_code == 409


@SQLITE
async def test_the_owner_is_signed_out_or_gets_a_link(admin: Browser, ada: Browser, state: AppState) -> None:
    path = f"/api/admin/users/{ada.user_id}"
    assert (await admin.post(f"{path}/reset-link")).status_code == 204
    assert (await ada.get("/api/user")).status_code == 200
    assert (await admin.post(f"{path}/sign-out")).json()["data"]["session_list"] == []
    assert (await ada.get("/api/user")).status_code == 401
    log = (await admin.get(f"/api/admin/audit?subject_id={ada.user_id}&action=user")).json()["data"]
    assert [entry["action"] for entry in log] == ["user.signed_out", "user.reset_sent"]
