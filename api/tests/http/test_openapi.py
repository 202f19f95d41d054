"""The OpenAPI document is true: it names the status of every answer."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from api.app import create_app
from api.openapi import openapi_document
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.http.hosts import MISDIRECTED
from api.platform.http.limits import BODY_BYTES_MAX
from api.platform.http.openai_errors import OPENAI_PREFIX
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.routers import ROUTERS
from api.testing.browser import Browser
from api.testing.databases.migrated import make_sqlite
from api.testing.files.uploaded_file import uploaded_file
from api.testing.proof.calls import some

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

# The names of the tests come from the routes: each process that collects them would take seconds for the document.
CALLS = [
    (method, route.path_format)
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute) and route.include_in_schema
    for method in sorted(route.methods or ())
]
SOME = some(dict.fromkeys(path for _, path in CALLS))
JSON = {"Content-Type": "application/json"}


def described(method: str, path: str) -> dict[str, Any]:
    operation: dict[str, Any] = openapi_document()["paths"][path][method.lower()]
    return operation


def strange_calls(has_body: bool) -> Iterator[dict[str, Any]]:
    yield from plain_calls(has_body)
    yield {"headers": {"X-XSRF-TOKEN": "made-up"}}
    yield {"headers": {"X-Active-Team": str(uuid.uuid4())}}
    yield {"headers": {"Host": "elsewhere.example"}}
    if has_body:
        yield {"content": b"{", "headers": JSON}
        yield {"content": b"\xff\xfe", "headers": JSON}
        yield {"content": b"[]", "headers": JSON}
        yield {"content": b"--x", "headers": {"Content-Type": "multipart/form-data; boundary=y"}}
        yield {"content": TOO_LONG, "headers": JSON}


def plain_calls(has_body: bool) -> Iterator[dict[str, Any]]:
    """Calls whose answers depend on who makes them and on what they name. Others end before that is looked at."""
    yield {}
    yield {"params": {"limit": "-1", "page": "x", "format": "?"}}
    if has_body:
        yield {"content": b"{}", "headers": JSON}


TOO_LONG = b'"' + b"x" * 7 * BODY_BYTES_MAX + b'"'
FIXED = {"version": "1", "language": "es", "label": "S1", "name": "quickmt-en-is"}
"""Values of path parameters that are not ids."""
_PARAMETER = re.compile(r"\{(\w+)\}")


class Values(dict[str, str]):
    """The values of path parameters: an id of nothing for those without one."""

    def __missing__(self, name: str) -> str:
        return str(uuid.uuid4())


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as opened:
        yield opened


@pytest.fixture(scope="module")
def shared_app(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """One app for all calls."""
    folder = tmp_path_factory.mktemp("openapi")
    settings = ApiSettings(data_dir=folder / "data", ui_dir=folder / "ui")
    make_sqlite(settings.db_url)
    made = create_app(settings)
    living = made.router.lifespan_context(made)
    runner.run(living.__aenter__())
    yield made
    runner.run(living.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def callers(runner: asyncio.Runner, shared_app: FastAPI) -> Iterator[list[Browser]]:
    """Somebody who signed in, and a visitor."""
    opened = [Browser.open(shared_app) for _ in range(2)]
    runner.run(opened[0].register("ada"))
    yield opened
    for browser in opened:
        runner.run(browser.aclose())


async def keep_signed_in(browser: Browser) -> None:
    """Sign up again if the calls before ended the session or the account."""
    if (await browser.get("/api/user")).status_code != 200:
        browser.cookies.clear()
        await browser.register(f"ada.{uuid.uuid4().hex[:8]}")


async def strange_answers(
    method: str, path: str, signed_in: Browser, visitor: Browser, state: AppState
) -> list[httpx2.Response]:
    """The answers to strange calls about somebody's own file, and about things that do not exist."""
    await keep_signed_in(signed_in)
    file = await uploaded_file(state, signed_in.user_id)
    own = Values(dict.fromkeys(("slug", "key", "id"), file.slug) | FIXED | {"keyword": "word"})
    none = Values(dict.fromkeys(_PARAMETER.findall(path), "none") | {"keyword": "word"})
    strange, plain = (list(made("requestBody" in described(method, path))) for made in (strange_calls, plain_calls))
    answers = [await signed_in.request(method, path.format_map(own), **call) for call in strange]
    answers += [await visitor.request(method, path.format_map(own), **call) for call in plain]
    if _PARAMETER.search(path):
        answers += [await signed_in.request(method, path.format_map(none), **call) for call in plain]
    return answers


def test_every_call_of_the_document_is_tried() -> None:
    documented = [(method.upper(), path) for path, calls in openapi_document()["paths"].items() for method in calls]
    assert sorted(documented) == sorted(CALLS)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param(method, path, id=f"{method} {path}", marks=[] if path in SOME else pytest.mark.long)
        for method, path in CALLS
    ],
)
def test_every_answer_is_documented(
    runner: asyncio.Runner, shared_app: FastAPI, callers: list[Browser], method: str, path: str
) -> None:
    documented = set(described(method, path)["responses"])
    signed_in, visitor = callers
    answers = runner.run(strange_answers(method, path, signed_in, visitor, shared_app.state.shared))
    statuses = {str(answer.status_code) for answer in answers}
    assert statuses <= documented, statuses - documented
    assert not [answer for answer in answers if answer.status_code >= 500 and answer.status_code != 503]


@SQLITE
async def test_a_refused_role_is_documented(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=TeamRole.VIEWER))
        (await session.get_one(type(file), file.id)).team_id = team.id
    answer = await bob.put(f"/api/files/{file.slug}", json={"name": "x"}, headers={"X-Active-Team": str(team.id)})
    assert answer.status_code == 403
    assert "403" in described("PUT", "/api/files/{slug}")["responses"]


@pytest.mark.long
@SQLITE
async def test_the_running_product_serves_this_document(visitor: Browser) -> None:
    for path in ("/openapi.json", "/api/openapi.json"):
        assert (await visitor.get(path)).json() == openapi_document()


def test_every_error_has_the_one_form() -> None:
    for method, path in CALLS:
        for status, response in described(method, path)["responses"].items():
            # A range that does not exist has no body: it is for the browser's player, and its header says enough.
            if int(status) >= 400 and status != "416":
                schema = response["content"]["application/json"]["schema"]
                name = schema["$ref"].removeprefix("#/components/schemas/")
                # Programs get the form of OpenAI's API, except for a wrong host name.
                is_openai = path.startswith(OPENAI_PREFIX) and int(status) != MISDIRECTED
                required = "error" if is_openai else "message"
                assert openapi_document()["components"]["schemas"][name]["required"] == [required]
