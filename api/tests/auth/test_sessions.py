"""The lifetime of a session: use extends it, and a sign-out ends everything it opened."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.content.arrivals.models import UploadToken
from api.content.uploads.server import tus_context
from api.content.uploads.sweep import sweep
from api.people.auth.cookies import SESSION_COOKIE
from api.people.users.models import BrowserSession
from api.platform.db import clock
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.sending import TUS, metadata, upload_token

MINUTE = timedelta(minutes=1)


async def remaining(state: AppState) -> timedelta:
    async with state.database.read() as session:
        ends, now = (await session.execute(select(BrowserSession.expires_at, clock.now()))).one()
    left: timedelta = ends - now
    return left


async def set_remaining(state: AppState, left: timedelta) -> None:
    async with state.database.write() as session:
        await session.execute(update(BrowserSession).values(expires_at=clock.now(left.total_seconds())))


async def test_a_day_of_use_extends_the_session(ada: Browser, state: AppState) -> None:
    whole = timedelta(hours=state.settings.session_hours)
    await set_remaining(state, whole - timedelta(hours=23))
    assert (await ada.get("/api/user")).status_code == 200
    assert await remaining(state) < whole - timedelta(hours=22)
    await set_remaining(state, timedelta(hours=1))
    assert (await ada.get("/api/user")).status_code == 200
    assert abs(await remaining(state) - whole) < MINUTE


async def test_a_session_that_has_ended_is_not_revived(ada: Browser, state: AppState) -> None:
    await set_remaining(state, timedelta(seconds=-1))
    assert (await ada.get("/api/user")).status_code == 401
    assert await remaining(state) < timedelta()


async def test_the_anti_forgery_cookie_extends_nothing(ada: Browser, state: AppState) -> None:
    await set_remaining(state, timedelta(hours=1))
    await ada.get("/sanctum/csrf-cookie")
    assert await remaining(state) <= timedelta(hours=1)


async def test_the_cookie_outlives_a_session_that_is_used_daily(ada: Browser, state: AppState) -> None:
    cookie = next(cookie for cookie in ada.cookies.jar if cookie.name == SESSION_COOKIE)
    assert cookie.expires is not None
    async with state.database.read() as session:
        now = (await session.scalars(select(clock.now()))).one()
    assert cookie.expires - now.timestamp() > timedelta(hours=state.settings.session_hours * 2).total_seconds()


async def test_sign_out_ends_the_session_for_a_browser_that_keeps_its_cookies(ada: Browser, app: FastAPI) -> None:
    kept = {cookie.name: cookie.value or "" for cookie in ada.cookies.jar}
    assert (await ada.post("/api/user/logout")).status_code == 204
    async with Browser.open(app) as stubborn:
        stubborn.cookies.update(kept)
        assert (await stubborn.get("/api/user")).status_code == 401


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_an_upload_token_ends_with_its_session(ada: Browser, visitor: Browser, state: AppState) -> None:
    begun, unused = await upload_token(ada), await upload_token(ada)
    new = {**TUS, "Upload-Length": "4", "Upload-Metadata": metadata(filename="a.mp4")}
    created = await visitor.post("/tus/", headers=new | {"Authorization": f"Bearer {begun}"})
    location = created.headers["Location"]
    part = TUS | patch_headers(0) | {"Authorization": f"Bearer {begun}"}
    assert (await visitor.patch(location, headers=part, content=b"ab")).status_code == 204
    assert (await ada.post("/api/user/logout")).status_code == 204
    rest = part | patch_headers(2)
    assert (await visitor.patch(location, headers=rest, content=b"cd")).status_code == 401
    assert (await visitor.post("/tus/", headers=new | {"Authorization": f"Bearer {unused}"})).status_code == 401


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_token_lives_as_long_as_its_upload_takes(ada: Browser, visitor: Browser, state: AppState) -> None:
    token = {"Authorization": f"Bearer {await upload_token(ada)}"}
    created = await visitor.post("/tus/", headers={**TUS, "Upload-Length": "4"} | token)
    async with state.database.write() as session:
        await session.execute(update(UploadToken).values(expires_at=clock.now(-86_400)))
    await sweep(tus_context(state), state.database)
    answer = await visitor.patch(created.headers["Location"], headers=TUS | patch_headers(0) | token, content=b"ab")
    assert answer.status_code == 204
