"""A machine whose clock is hours off: everything expires by the database's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Self

import pytest
from sqlalchemy import select

from api.content.arrivals.models import TusUpload, Upload, UploadStatus, UploadToken
from api.content.uploads import tokens
from api.content.uploads.server import tus_context
from api.content.uploads.sweep import sweep
from api.people.users.models import BrowserSession
from api.platform.db import base, clock
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser


@pytest.fixture(params=[timedelta(hours=-2), timedelta(hours=2)], ids=str)
def wrong_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> timedelta:
    """Set this process's clock off by this much from now on."""
    off: timedelta = request.param

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + off

    monkeypatch.setattr(base, "datetime", Wrong)
    assert abs(utc_now() - datetime.now(UTC) - off) < timedelta(minutes=1)
    return off


async def left(state: AppState, table: type[BrowserSession] | type[UploadToken]) -> timedelta:
    """The remaining lifetime of the table's newest row, by the database's clock."""
    async with state.database.read() as session:
        ends, now = (
            await session.execute(select(table.expires_at, clock.now()).order_by(table.expires_at.desc()).limit(1))
        ).one()
    remaining: timedelta = ends - now
    return remaining


async def test_sessions_last_as_long_as_they_should(
    ada: Browser, visitor: Browser, state: AppState, wrong_by: timedelta
) -> None:
    assert (await ada.get("/api/user")).status_code == 200
    answer = await visitor.post("/login", json={"email": "ada@example.com", "password": PASSWORD})
    assert answer.status_code == 200
    assert (await visitor.get("/api/user")).status_code == 200
    assert abs(await left(state, BrowserSession) - timedelta(hours=state.settings.session_hours)) < timedelta(minutes=1)


async def test_uploads_start_and_are_not_swept_away(ada: Browser, state: AppState, wrong_by: timedelta) -> None:
    answer = await ada.post("/api/files/upload/token")
    assert abs(await left(state, UploadToken) - tokens.LIFETIME) < timedelta(minutes=1)
    headers = {"Authorization": f"Bearer {answer.json()['token']}", "Tus-Resumable": "1.0.0", "Upload-Length": "9"}
    created = await ada.post("/tus/", headers=headers)
    assert created.status_code == 201, created.text
    await sweep(tus_context(state), state.database)
    async with state.database.read() as session:
        assert (await session.scalars(select(Upload.status))).all() == [UploadStatus.UPLOADING]
        assert (await session.scalars(select(TusUpload.terminated_at))).all() == [None]
        assert len((await session.scalars(select(UploadToken.token_hash))).all()) == 1
