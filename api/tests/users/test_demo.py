"""The demo account: made once, with its sample on the way, and never where others could use its known password."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from api.auth.cookies import AUTH_COOKIE
from api.files.models import File, FileStatus
from api.http.state import AppState
from api.jobs.models import Job
from api.jobs.states import JobKind
from api.settings import ApiSettings
from api.tests.browser import Browser
from api.users.demo import DEMO_EMAIL, DEMO_PASSWORD, SAMPLE_LANGUAGE, ensure_demo


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.mp4"
    path.write_bytes(b"not looked at here")
    return path


async def test_the_first_start_makes_the_account_and_its_file(visitor: Browser, state: AppState, sample: Path) -> None:
    work = state.settings.work_root
    demo = await ensure_demo(state.database, state.storage, sample=sample, work=work)
    assert demo is not None
    again = await ensure_demo(state.database, state.storage, sample=sample, work=work)
    assert again is not None
    assert again.sample_slug is None
    async with state.database.read() as session:
        file = (await session.scalars(select(File))).one()
        job = (await session.scalars(select(Job))).one()
    assert (file.slug, file.status, file.language) == (demo.sample_slug, FileStatus.WAITING, SAMPLE_LANGUAGE)
    assert (job.kind, job.subject_id) == (JobKind.UPLOAD, file.id)
    assert state.storage.size(file.original_key) == len(b"not looked at here")
    answer = await visitor.post("/login", json={"email": DEMO_EMAIL, "password": DEMO_PASSWORD})
    assert answer.status_code == 200
    assert AUTH_COOKIE in visitor.cookies


async def test_an_installation_with_people_gets_none(ada: Browser, state: AppState, sample: Path) -> None:
    assert await ensure_demo(state.database, state.storage, sample=sample, work=state.settings.work_root) is None


@pytest.mark.parametrize(
    ("host", "database_url", "makes"),
    [
        ("127.0.0.1", None, True),
        ("localhost", None, True),
        ("0.0.0.0", None, False),
        ("127.0.0.1", "postgresql://db.example/sagascript", False),
    ],
)
def test_only_a_private_installation_makes_it(host: str, database_url: str | None, makes: bool) -> None:
    assert ApiSettings(host=host, database_url=database_url).makes_demo is makes
