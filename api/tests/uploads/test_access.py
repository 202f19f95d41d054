"""Who may create, continue, look at and end an upload."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from api.content.arrivals.models import TusUpload, Upload, UploadToken
from api.people.teams.models import Membership, Team
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.sending import TUS, send, start, upload_token

# `test_completion.py` runs the same statements on both databases.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

NEW = {**TUS, "Upload-Length": "4"}


async def uploads(state: AppState) -> list[Upload]:
    async with state.database.read() as session:
        return list((await session.scalars(select(Upload))).all())


def stored(state: AppState, location: str) -> bytes:
    path = state.settings.storage_root / ".incoming" / location.rpartition("/")[2]
    return path.read_bytes() if path.exists() else b""


async def test_a_token_needs_a_signed_in_browser(visitor: Browser) -> None:
    assert (await visitor.post("/api/files/upload/token")).status_code == 401


@pytest.mark.parametrize("header", [None, "Bearer ", "Bearer made-up", "Basic YTpi"])
async def test_a_creation_needs_a_token_even_from_a_signed_in_browser(
    ada: Browser, state: AppState, header: str | None
) -> None:
    headers = NEW | ({} if header is None else {"Authorization": header})
    assert (await ada.post("/tus/", headers=headers)).status_code == 401
    assert await uploads(state) == []


async def test_an_expired_token_creates_nothing(ada: Browser, state: AppState) -> None:
    token = await upload_token(ada)
    async with state.database.write() as session:
        await session.execute(update(UploadToken).values(expires_at=utc_now() - timedelta(seconds=1)))
    answer = await ada.post("/tus/", headers=NEW | {"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401
    assert await uploads(state) == []


async def test_a_token_lives_a_quarter_of_an_hour_and_is_not_stored(ada: Browser, state: AppState) -> None:
    token = await upload_token(ada)
    async with state.database.read() as session:
        row = (await session.scalars(select(UploadToken))).one()
    assert timedelta(minutes=14) < row.expires_at - utc_now() <= timedelta(minutes=15)
    assert token not in row.token_hash


async def test_a_token_is_bound_to_the_team_it_was_made_for(ada: Browser, visitor: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id))
    token = await upload_token(ada, **{"X-Active-Team": str(team.id)})
    answer = await visitor.post("/tus/", headers=NEW | {"Authorization": f"Bearer {token}"})
    assert answer.status_code == 201
    (upload,) = await uploads(state)
    assert (upload.user_id, upload.team_id) == (ada.user_id, team.id)


async def test_a_token_creates_one_upload(ada: Browser, state: AppState) -> None:
    headers = NEW | {"Authorization": f"Bearer {await upload_token(ada)}"}
    assert (await ada.post("/tus/", headers=headers)).status_code == 201
    assert (await ada.post("/tus/", headers=headers | {"Upload-Length": "5"})).status_code == 403
    assert len(await uploads(state)) == 1


async def test_the_creating_token_alone_may_go_on(ada: Browser, visitor: Browser, state: AppState) -> None:
    token = {"Authorization": f"Bearer {await upload_token(ada)}"}
    location = (await visitor.post("/tus/", headers=NEW | token)).headers["Location"]
    async with state.database.write() as session:
        await session.execute(update(UploadToken).values(expires_at=utc_now() - timedelta(hours=2)))
    assert (await visitor.head(location, headers=TUS | token)).status_code == 200
    assert (await visitor.patch(location, headers=TUS | token | patch_headers(0), content=b"ab")).status_code == 204
    assert (await visitor.delete(location, headers=TUS | token)).status_code == 204


@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
async def test_a_stranger_is_asked_to_sign_in(ada: Browser, visitor: Browser, state: AppState, method: str) -> None:
    location = await start(ada, 4)
    answer = await visitor.request(method, location, headers=TUS | patch_headers(0), content=b"evil")
    assert answer.status_code == 401
    assert stored(state, location) == b""


@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
async def test_somebody_elses_upload_is_not_found_with_cookies_or_another_token(
    ada: Browser, bob: Browser, state: AppState, method: str
) -> None:
    location = await start(ada, 4)
    token = {"Authorization": f"Bearer {await upload_token(bob)}"}
    for headers in ({}, token):
        answer = await bob.request(method, location, headers=TUS | patch_headers(0) | headers, content=b"evil")
        assert answer.status_code == 404
    assert stored(state, location) == b""
    async with state.database.read() as session:
        assert (await session.scalars(select(TusUpload))).one().terminated_at is None


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
@pytest.mark.parametrize("override", [True, False])
async def test_a_changing_request_needs_the_anti_forgery_header(
    ada: Browser, state: AppState, method: str, override: bool
) -> None:
    location = await start(ada, 4)
    headers = TUS | patch_headers(0) | {"X-XSRF-TOKEN": "made-up"}
    if override:
        answer = await ada.request("GET", location, headers=headers | {"X-HTTP-Method-Override": method})
    else:
        answer = await ada.request(method, location, headers=headers, content=b"abcd")
    assert answer.status_code == 419
    assert stored(state, location) == b""
    assert (await send(ada, location, 0, b"abcd")).status_code == 204
