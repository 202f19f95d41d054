"""The speech API where people pay: a plan's minutes bound it too."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import update

from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import SENTENCES
from api.testing.ledger import Ledger
from api.testing.speech import TRANSCRIPTIONS, Worker, bearer, form, make_key

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> ApiSettings:
    return ApiSettings(data_dir=tmp_path / "data", database_url=database_url, ui_dir=tmp_path / "ui", billing=True)


async def test_minutes_of_the_plan_are_used_up_and_then_missing(
    sign_up: SignUp, visitor: Browser, worker: Worker, database: Database
) -> None:
    ada = await sign_up("ada")
    async with database.write() as session:
        await session.execute(update(User).values(email_verified_at=utc_now()))
    await Ledger(database).contract(ada.user_id, max_seconds=60)
    headers = bearer(await make_key(ada))
    call = asyncio.create_task(visitor.post(TRANSCRIPTIONS, **form(), headers=headers))
    await worker.sound(duration_ms=50_000)
    await worker.text(*SENTENCES)
    assert (await call).status_code == 200
    call = asyncio.create_task(visitor.post(TRANSCRIPTIONS, **form(), headers=headers))
    await worker.sound(duration_ms=50_000)
    refused = await call
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "insufficient_quota")
    assert (await ada.get("/api/keys")).json()["data"][0]["seconds_used"] == 50


async def test_an_address_must_be_confirmed_first(
    sign_up: SignUp, visitor: Browser, worker: Worker, database: Database
) -> None:
    ada = await sign_up("ada")
    async with database.write() as session:
        await session.execute(update(User).values(email_verified_at=utc_now()))
    headers = bearer(await make_key(ada))
    async with database.write() as session:
        await session.execute(update(User).values(email_verified_at=None))
    refused = await visitor.post(TRANSCRIPTIONS, **form(), headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "email_unverified")
    assert await worker.states() == {}
