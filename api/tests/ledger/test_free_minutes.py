"""Free minutes: what a new account may do before it needs a plan, what happens when they are used up, and when over."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.content.files.models import File
from api.people.plans.minutes import Grant, GrantSource
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from api.testing.ledger import Ledger

MINUTE = 60
ENDED = timedelta(days=31)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> ApiSettings:
    return ApiSettings(
        data_dir=tmp_path / "data",
        database_url=database_url,
        ui_dir=tmp_path / "ui",
        billing=True,
        free_minutes=10,
    )


async def me(browser: Browser) -> dict[str, Any]:
    data: dict[str, Any] = (await browser.get("/api/user")).json()["data"]
    return data


async def pass_month(state: AppState, browser: Browser) -> None:
    """Let the free minutes have begun, and ended, a month earlier."""
    async with state.database.write() as session:
        grant = (await session.scalars(select(Grant).where(Grant.payer_id == browser.user_id))).one()
        grant.starts_at -= ENDED
        assert grant.expires_at is not None
        grant.expires_at -= ENDED


async def test_a_new_account_works_without_a_plan(customer: Browser, shop: Ledger) -> None:
    person = await me(customer)
    assert (person["plan"], person["has_subscription"], person["has_free_minutes"]) == ("none", True, True)
    balance = (await customer.get("/api/ledger/balance")).json()["data"]
    assert (balance["included"], balance["available"]) == (10 * MINUTE, 10 * MINUTE)
    assert [grant["source"] for grant in balance["grants"]] == [GrantSource.FREE]
    assert (await customer.post("/api/files/upload/token")).status_code == 200
    quote = await customer.post("/api/ledger/quote", json={"seconds": 4 * MINUTE})
    assert (quote.status_code, quote.json()["data"]["fits"]) == (200, True)
    assert await shop.violations() == []


@pytest.mark.long
async def test_used_up_they_refuse_new_work_and_leave_what_is_there(
    customer: Browser, shop: Ledger, state: AppState
) -> None:
    file = await uploaded_file(state, customer.user_id)
    await shop.settle(await shop.reserve(customer.user_id, 10 * MINUTE, file_id=file.id))
    assert (await me(customer))["has_subscription"] is True
    assert (await customer.get(f"/api/files/{file.slug}")).status_code == 200
    quote = (await customer.post("/api/ledger/quote", json={"seconds": MINUTE})).json()["data"]
    assert quote["fits"] is False
    assert quote["sentence"] == "This needs 1 min, and 0 min of your 10 min are left. Choose a plan."


async def test_after_their_last_day_a_plan_is_needed(customer: Browser, state: AppState) -> None:
    await pass_month(state, customer)
    person = await me(customer)
    assert (person["has_subscription"], person["has_free_minutes"]) == (False, False)
    refused = await customer.post("/api/files/upload/token")
    assert refused.status_code == 402, refused.text
    quote = (await customer.post("/api/ledger/quote", json={"seconds": MINUTE})).json()["data"]
    assert quote["sentence"] == "There is no plan that pays for this. Choose a plan to go on."


async def test_there_is_room_for_files_to_try_with(customer: Browser, state: AppState) -> None:
    file = await uploaded_file(state, customer.user_id)
    async with state.database.write() as session:
        await session.execute(update(File).where(File.id == file.id).values(size_bytes=5_000_000_000))
    refused = await customer.post("/api/files/upload/token")
    assert refused.status_code == 402
    assert "5 GB" in refused.json()["message"] or "5.0 GB" in refused.json()["message"]


class TestWithoutTheSetting:
    @pytest.fixture
    def settings(self, database_url: str, tmp_path: Path) -> ApiSettings:
        return ApiSettings(data_dir=tmp_path / "data", database_url=database_url, ui_dir=tmp_path / "ui", billing=True)

    async def test_nobody_gets_any(self, customer: Browser, shop: Ledger) -> None:
        person = await me(customer)
        assert (person["has_subscription"], person["has_free_minutes"]) == (False, False)
        assert (await shop.balance(customer.user_id)).grants == ()
