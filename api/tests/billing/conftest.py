from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from api.people.billing.invoices import stripe_pdf
from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.platform.db.engine import Database
from api.platform.http import deadline
from api.platform.settings import ApiSettings
from api.testing.browser import SignUp
from api.testing.databases.database_kind import DatabaseKind
from api.testing.databases.migrated import make_sqlite, migrated_database
from api.testing.stripe.client import official_client
from api.testing.stripe.payer import Payer, verify_email
from api.testing.stripe.server import StripeServer, running_stripe
from cluster.testing.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def _patience_with_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it takes longer over an invoice, or over three changes at once, than the product allows."""
    monkeypatch.setattr(stripe_pdf, "FETCH_WITHIN_S", PATIENCE_S)
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", PATIENCE_S)


@pytest.fixture(scope="session")
def shop() -> Iterator[StripeServer]:
    """One stand-in with two coupons for all tests. Its clock is that of the machine."""
    with running_stripe() as server:
        client = official_client(server)
        client.v1.coupons.create({"id": "QUARTER", "percent_off": 25, "duration": "forever"})
        client.v1.coupons.create({"id": "GIFT", "percent_off": 100, "duration": "once"})
        client.v1.coupons.create({"id": "FIVER", "amount_off": 500, "currency": "usd", "duration": "once"})
        client.v1.promotion_codes.create({"code": "SPRING", "promotion": {"type": "coupon", "coupon": "QUARTER"}})
        yield server


@pytest.fixture
def old_shop() -> Iterator[StripeServer]:
    """A stand-in whose clock begins 100 days ago, so that tests can move it up to today."""
    with running_stripe(days_ago=100) as server:
        yield server


@pytest.fixture
def server(request: pytest.FixtureRequest) -> StripeServer:
    """`shop`, or `old_shop` for tests that use that."""
    name = "old_shop" if "old_shop" in request.fixturenames else "shop"
    found = request.getfixturevalue(name)
    assert isinstance(found, StripeServer)
    return found


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """SQLite, unless a test asks for another kind: what depends on the database is in `test_at_once.py`."""
    if getattr(request, "param", DatabaseKind.SQLITE) is DatabaseKind.SQLITE:
        url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
        make_sqlite(url)
        yield url
        return
    with migrated_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture
def settings(database_url: str, tmp_path: Path, server: StripeServer) -> ApiSettings:
    return ApiSettings(data_dir=tmp_path / "data", database_url=database_url, ui_dir=tmp_path / "ui", **server.settings)


@pytest.fixture
async def ann(app: FastAPI, settings: ApiSettings, sign_up: SignUp, database: Database, server: StripeServer) -> Payer:
    """Somebody who wants to buy a plan."""
    await sync_prices(Gateway(settings))
    browser = await sign_up("ann")
    await verify_email(database, browser)
    return Payer(browser, server, database)


@pytest.fixture
async def eve(sign_up: SignUp, ann: Payer) -> Payer:
    """Somebody else."""
    browser = await sign_up("eve")
    await verify_email(ann.database, browser)
    return Payer(browser, ann.server, ann.database)
