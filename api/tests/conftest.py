"""Fixtures every test of the control plane shares: both databases, the app, and signed-in browsers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zxcvbn
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.util import LRUCache

from api.app import create_app
from api.content.captions.subtitle_files import imports
from api.content.uploads import sweep
from api.people.auth import passwords
from api.people.billing.stripe import gateway
from api.platform.db import engine
from api.platform.db.engine import Database
from api.platform.http import deadline
from api.platform.http.state import AppState
from api.platform.operations import readiness
from api.platform.settings import ApiSettings
from api.testing.browser import Browser, SignUp
from api.testing.databases.migrated import make_sqlite, migrated_database
from api.testing.databases.postgres import new_database, postgres_bin, running_postgres
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.forms.form import USUAL_READING, Reading
from pipelines.captions.imports.answer import ReadFile
from pipelines.captions.imports.imported_json import imported_to_json
from pipelines.captions.imports.process import file_in_process
from pipelines.captions.imports.subtitles import parse_subtitles

OWN_HASHER = passwords._hasher


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> Iterator[None]:
    """Almost every test registers somebody: the product's hash of one password takes 30 ms, zxcvbn's verdict 10 ms."""
    passwords._hasher = PasswordHasher(memory_cost=8, time_cost=1, parallelism=1)
    verdicts: dict[tuple[str, ...], Any] = {}

    def once(password: str, user_inputs: list[str]) -> Any:
        key = (password, *user_inputs)
        if key not in verdicts:
            verdicts[key] = judge(password, user_inputs=user_inputs)
        return verdicts[key]

    judge = zxcvbn.zxcvbn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zxcvbn, "zxcvbn", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_sweep_at_each_start() -> Iterator[None]:
    """Each test makes an app, and its first round over empty tables took a fifth of a short test.

    Tests of the rounds call `sweep`; a process of its own (`api/tests/uploads/test_process.py`) makes them by itself.
    """

    async def later(*_parts: Any) -> None:
        await asyncio.sleep(sweep.EVERY_S)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "_sweep_forever", later)
        yield


@pytest.fixture(autouse=True, scope="session")
def _statements_compiled_once() -> Iterator[None]:
    """Each test has databases of its own. SQLAlchemy compiled every statement again for each: a tenth of a short test.

    Dialects of one class count as the same here, also in the mappers' own caches. All are made with the same options.
    """
    compiled: LRUCache[Any, Any] = LRUCache(3_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)))
        sharing = partial(create_async_engine, execution_options={"compiled_cache": compiled})
        patch.setattr("api.platform.db.engine.create_async_engine", sharing)
        yield


@pytest.fixture(autouse=True, scope="session")
def _patient_service() -> Iterator[None]:
    """On a busy machine calls met their deadline and got 503. Tests of the deadline set it themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deadline, "ANSWER_WITHIN_S", PATIENCE_S)
        patch.setattr(deadline, "LONGER", dict.fromkeys(deadline.LONGER, PATIENCE_S))
        patch.setattr(readiness, "WITHIN_S", PATIENCE_S)
        patch.setattr(engine, "POOL_WAIT_S", PATIENCE_S)
        patch.setitem(engine.GONE_AFTER, "connect_timeout", int(PATIENCE_S))
        patch.setattr(gateway, "ANSWER_WITHIN_S", PATIENCE_S)
        yield


@pytest.fixture(autouse=True, scope="session")
def _subtitles_read_here() -> Iterator[None]:
    """A process for each subtitle file took most of the time of the tests that import one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imports, "file_in_process", _read_here)
        yield


def _read_here(raw: bytes, language: str | None, reading: Reading = USUAL_READING) -> ReadFile:
    imported = parse_subtitles(raw, language or None, reading)
    body = json.dumps(imported_to_json(imported)).encode()
    return ReadFile(tuple(imported.notes), imported.speakers, len(imported.lines), body)


@pytest.fixture
def own_import_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Subtitle files are read in a child process, as in the product."""
    monkeypatch.setattr(imports, "file_in_process", file_in_process)


@pytest.fixture
def own_password_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes cost what they cost in the product."""
    monkeypatch.setattr(passwords, "_hasher", OWN_HASHER)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    if postgres_bin() is None:
        pytest.skip("PostgreSQL is not installed, so this test ran on SQLite only.")
    with running_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of each kind with the newest schema and nothing in it."""
    if request.param == "sqlite":
        url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
        make_sqlite(url)
        yield url
        return
    with migrated_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of each kind without a schema, for tests of migrations."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
        return
    with new_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture(scope="session")
def environment_settings() -> ApiSettings:
    """Settings as the environment has them. To read it for each test took a thirtieth of a short one."""
    return ApiSettings()


@pytest.fixture
def settings(environment_settings: ApiSettings, database_url: str, tmp_path: Path) -> ApiSettings:
    places = {"data_dir": tmp_path / "data", "database_url": database_url, "ui_dir": tmp_path / "ui"}
    return environment_settings.model_copy(update=places)


@pytest.fixture
async def app(settings: ApiSettings) -> AsyncIterator[FastAPI]:
    """The web process's app over an empty database."""
    made = create_app(settings)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
def state(app: FastAPI) -> AppState:
    shared = app.state.shared
    assert isinstance(shared, AppState)
    return shared


@pytest.fixture
def database(state: AppState) -> Database:
    return state.database


@pytest.fixture
async def visitor(app: FastAPI) -> AsyncIterator[Browser]:
    """A browser in which nobody is signed in."""
    async with Browser.open(app) as browser:
        yield browser


@pytest.fixture
async def sign_up(app: FastAPI) -> AsyncIterator[SignUp]:
    """Makes a new account and returns its signed-in browser: `ada = await sign_up("ada")`."""
    opened: list[Browser] = []

    async def make(name: str) -> Browser:
        browser = await Browser.open(app).__aenter__()
        opened.append(browser)
        await browser.register(name)
        return browser

    yield make
    for browser in opened:
        await browser.aclose()


@pytest.fixture
async def ada(sign_up: SignUp) -> Browser:
    return await sign_up("ada")


@pytest.fixture
async def bob(sign_up: SignUp) -> Browser:
    return await sign_up("bob")
