"""Contracts and goodwill: what administrators agree with one customer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from api.people.audit.models import AuditEntry
from api.people.plans.minutes import Grant, GrantSource
from api.people.plans.models import Contract
from api.platform.http.state import AppState
from api.testing.browser import Browser

NUMBERS = {"price_monthly": 25_000, "price_minutes": 4, "max_hours": 100, "max_space": 500, "max_users": 12}


async def test_a_contract_is_made_changed_and_ended(admin: Browser, ada: Browser, state: AppState) -> None:
    path = f"/api/admin/users/{ada.user_id}/contract"
    shown = (await admin.put(path, json=NUMBERS)).json()["data"]
    assert shown["plan"] == "corporate"
    assert shown["contract"] == shown["contract"] | NUMBERS | {"is_in_force": True, "ends_at": None}
    async with state.database.read() as session:
        contract = (await session.scalars(select(Contract))).one()
        assert (contract.max_seconds, contract.max_space) == (360_000, 500_000_000_000)
    ends_at = datetime(2099, 1, 1, tzinfo=UTC).isoformat()
    changed = (await admin.put(path, json={"max_users": None, "ends_at": ends_at})).json()["data"]["contract"]
    assert (changed["max_users"], changed["max_hours"], changed["price_monthly"]) == (None, None, 0)
    assert changed["starts_at"] == shown["contract"]["starts_at"]
    refused = await admin.put(path, json={"ends_at": "2001-01-01T00:00:00Z"})
    assert refused.status_code == 422
    ended = (await admin.delete(path)).json()["data"]
    assert (ended["plan"], ended["contract"]["is_in_force"]) == ("none", False)
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.subject_id == ada.user_id))).all()
    contracts = sorted(entry.action for entry in entries if entry.action.startswith("contract."))
    assert contracts == ["contract.ended", "contract.set", "contract.set"]
    assert NUMBERS in [entry.details for entry in entries]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_goodwill_is_a_grant_with_a_reason(admin: Browser, ada: Browser, state: AppState) -> None:
    body = {"minutes": 90, "days": 30, "reason": "The outage of Monday"}
    path = f"/api/admin/users/{ada.user_id}/goodwill"
    for _ in range(2):
        assert (await admin.post(path, json=body)).status_code == 201
    assert (await admin.post(path, json=body | {"reason": ""})).status_code == 422
    async with state.database.read() as session:
        grants = (await session.scalars(select(Grant).where(Grant.payer_id == ada.user_id))).all()
    assert [(grant.source, grant.seconds, grant.note) for grant in grants] == [
        (GrantSource.GOODWILL, 5_400, "The outage of Monday")
    ] * 2
    newest = (await ada.get("/api/user/log")).json()["data"][0]
    assert newest["sentence"] == "Gave 90 minutes. Reason: The outage of Monday"
    assert (newest["by"], newest["by_support"]) == ("Support (Root)", True)
