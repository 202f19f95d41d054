"""The OpenAPI document is true: it names the status of every answer."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.http.hosts import MISDIRECTED
from api.http.limits import BODY_BYTES_MAX
from api.http.openai_errors import OPENAI_PREFIX
from api.http.state import AppState
from api.openapi import openapi_document
from api.teams.models import Membership, Team, TeamRole
from api.testing.browser import Browser
from api.testing.uploaded_file import uploaded_file

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

DOCUMENT = openapi_document()
JSON = {"Content-Type": "application/json"}
Operation = tuple[str, str, dict[str, Any]]


def operations() -> Iterator[Operation]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def strange_calls(has_body: bool) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"headers": {"X-XSRF-TOKEN": "made-up"}}
    yield {"headers": {"X-Active-Team": str(uuid.uuid4())}}
    yield {"headers": {"Host": "elsewhere.example"}}
    yield {"params": {"limit": "-1", "page": "x", "format": "?"}}
    if has_body:
        yield {"content": b"{", "headers": JSON}
        yield {"content": b"\xff\xfe", "headers": JSON}
        yield {"content": b"[]", "headers": JSON}
        yield {"content": b"{}", "headers": JSON}
        yield {"content": b"--x", "headers": {"Content-Type": "multipart/form-data; boundary=y"}}
        yield {"content": b'"' + b"x" * 7 * BODY_BYTES_MAX + b'"', "headers": JSON}


_PARAMETER = re.compile(r"\{(\w+)\}")


class Values(dict[str, str]):
    """The values of path parameters: an id of nothing for those without one."""

    def __missing__(self, name: str) -> str:
        return str(uuid.uuid4())


@SQLITE
@pytest.mark.parametrize("operation", operations(), ids=lambda operation: f"{operation[0]} {operation[1]}")
async def test_every_answer_is_documented(
    ada: Browser, visitor: Browser, state: AppState, operation: Operation
) -> None:
    method, path, described = operation
    file = await uploaded_file(state, ada.user_id)
    values = {
        "slug": file.slug,
        "key": file.slug,
        "id": file.slug,
        "ids": str(uuid.uuid4()),
        "export_id": str(uuid.uuid4()),
        "version": "1",
        "term_id": str(uuid.uuid4()),
        "language": "es",
        "label": "S1",
        "name": "quickmt-en-is",
    }
    answers: list[httpx.Response] = []
    for known in (Values(values), Values(dict.fromkeys(_PARAMETER.findall(path), "none"))):
        url = path.format_map(Values(known | {"keyword": "word"}))
        for call in strange_calls("requestBody" in described):
            answers += [await browser.request(method, url, **call) for browser in (ada, visitor)]
    found = {str(answer.status_code) for answer in answers}
    assert found <= set(described["responses"]), found - set(described["responses"])
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
    assert "403" in DOCUMENT["paths"]["/api/files/{slug}"]["put"]["responses"]


@SQLITE
async def test_the_running_product_serves_this_document(visitor: Browser) -> None:
    assert (await visitor.get("/openapi.json")).json() == DOCUMENT


def test_every_error_has_the_one_form() -> None:
    for _method, path, described in operations():
        for status, response in described["responses"].items():
            # A range that does not exist has no body: it is for the browser's player, and its header says enough.
            if int(status) >= 400 and status != "416":
                schema = response["content"]["application/json"]["schema"]
                name = schema["$ref"].removeprefix("#/components/schemas/")
                # Programs get the form of OpenAI's API, except for a wrong host name.
                is_openai = path.startswith(OPENAI_PREFIX) and int(status) != MISDIRECTED
                required = "error" if is_openai else "message"
                assert DOCUMENT["components"]["schemas"][name]["required"] == [required]
