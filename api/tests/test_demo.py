"""The demo account: created once, with its sample in the pipeline, and locked where others could use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.content.files.models import File, FileStatus
from api.edges.cli.installation.demo import PASSWORD_FILE, Demo, demo_password, ensure_demo
from api.people.auth.cookies import AUTH_COOKIE
from api.people.users.restrictions import DEMO_EMAIL, DEMO_LOCKED
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from pipelines.media.sample import SAMPLE, SAMPLE_LANGUAGE


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.mp4"
    path.write_bytes(b"not looked at here")
    return path


async def make_demo(state: AppState, sample: Path, password: str = "a-password-of-this-one") -> Demo | None:
    return await ensure_demo(
        state.database, state.storage, sample=sample, work=state.settings.work_root, password=password
    )


def moved(app: FastAPI, **change: str) -> None:
    """The same installation, restarted with other settings."""
    state: AppState = app.state.shared
    app.state.shared = replace(state, settings=state.settings.model_copy(update=change))


async def sign_in(browser: Browser, password: str) -> httpx2.Response:
    return await browser.post("/login", json={"email": DEMO_EMAIL, "password": password})


async def test_whoever_is_signed_in_may_try_the_sample(ada: Browser, visitor: Browser) -> None:
    answer = await ada.get("/api/sample")
    assert answer.content == SAMPLE.read_bytes()
    assert (answer.headers["Content-Type"], answer.headers["Content-Language"]) == ("video/mp4", SAMPLE_LANGUAGE)
    assert (await visitor.get("/api/sample")).status_code == 401


async def test_the_first_start_makes_the_account_and_its_file(visitor: Browser, state: AppState, sample: Path) -> None:
    demo = await make_demo(state, sample)
    assert demo is not None
    again = await make_demo(state, sample)
    assert again is not None
    assert again.sample_slug is None
    async with state.database.read() as session:
        file = (await session.scalars(select(File))).one()
        job = (await session.scalars(select(Job))).one()
    assert (file.slug, file.status, file.language) == (demo.sample_slug, FileStatus.WAITING, SAMPLE_LANGUAGE)
    assert (job.kind, job.subject_id) == (JobKind.UPLOAD, file.id)
    assert state.storage.size(file.original_key) == len(b"not looked at here")
    answer = await sign_in(visitor, demo.password)
    assert answer.status_code == 200
    assert AUTH_COOKIE in visitor.cookies


async def test_an_installation_with_people_gets_none(ada: Browser, state: AppState, sample: Path) -> None:
    assert await make_demo(state, sample) is None


def test_each_installation_has_a_password_of_its_own(tmp_path: Path) -> None:
    first, second = demo_password(tmp_path / "a"), demo_password(tmp_path / "b")
    assert first != second
    assert len(first) >= 12
    assert demo_password(tmp_path / "a") == first
    assert (tmp_path / "a" / PASSWORD_FILE).stat().st_mode & 0o077 == 0


async def test_an_older_installation_loses_the_password_everybody_knew(
    visitor: Browser, state: AppState, sample: Path
) -> None:
    await make_demo(state, sample, "sagascript")
    assert (await sign_in(visitor, "sagascript")).status_code == 200
    await make_demo(state, sample)
    assert (await visitor.get("/api/user")).status_code == 401
    assert (await sign_in(visitor, "sagascript")).status_code == 422
    assert (await sign_in(visitor, "a-password-of-this-one")).status_code == 200


@pytest.mark.parametrize("change", [{"public_url": "http://saga.example.com"}, {"host": "0.0.0.0"}])
async def test_an_installation_that_others_can_reach_locks_it(
    visitor: Browser, app: FastAPI, state: AppState, sample: Path, change: dict[str, str]
) -> None:
    demo = await make_demo(state, sample)
    assert demo is not None
    assert (await sign_in(visitor, demo.password)).status_code == 200
    moved(app, **change)
    assert (await visitor.get("/api/files")).status_code == 401
    answer = await sign_in(visitor, demo.password)
    assert (answer.status_code, answer.json()["message"]) == (422, DEMO_LOCKED)


@pytest.mark.parametrize(
    ("values", "makes"),
    [
        ({"host": "127.0.0.1"}, True),
        ({"host": "localhost", "public_url": "http://localhost:9000"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "127.0.0.2"}, False),
        ({"public_url": "https://saga.example.com"}, False),
        ({"database_url": "postgresql://db.example/sagascript"}, False),
    ],
)
def test_only_a_private_installation_makes_it(values: dict[str, str], makes: bool) -> None:
    assert ApiSettings.model_validate(values).makes_demo is makes
