"""REST v1 with keys: nobody's key reaches what is not theirs, and every answer is one that the document describes."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from api.edges.rest.document import rest_document
from api.openapi import openapi_document
from api.people.api_keys.scopes import Scope
from api.testing.browser import Browser
from api.testing.proof.calls import Calls, operations
from api.testing.proof.schema_calls import SchemaCalls, make_caller
from api.testing.proof.world import OWNERS, World


def document() -> dict[str, Any]:
    return rest_document(openapi_document())


async def program_of(world: World, person: str) -> Browser:
    """A client with a key of somebody, and no cookies."""
    body = {"name": "Robot", "scopes": list(Scope), "requests_minute": 600}
    made = await world.people[person].post("/api/keys", json=body)
    assert made.status_code == 201, made.text
    transport = httpx2.ASGITransport(app=world.app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {made.json()['data']['secret']}"}
    return await world.stack.enter_async_context(
        Browser(transport=transport, base_url="http://localhost", headers=headers)
    )


@pytest.mark.parametrize(("person", "refused"), [("eve", 404), ("vera", 403)])
def test_no_key_reaches_what_is_not_its_makers(world: World, runner: asyncio.Runner, person: str, refused: int) -> None:
    answers = runner.run(sweep(world, person))
    assert answers.get(refused, 0) >= 5, answers


async def sweep(world: World, person: str) -> dict[int, int]:
    """Try every call on Ada's things; return how often each status was the answer."""
    program = await program_of(world, person)
    ada, oscar = world.own["ada"], world.own["oscar"]
    before = world.rows.naming(ada.words + oscar.words)
    answers: dict[int, int] = {}
    may_read = {OWNERS["eve"]} if person == "eve" else {OWNERS["ada"]}
    whole = document()
    for operation in operations(whole):
        for call in Calls(whole, ada, oscar, world.own.get(person)).of(operation, forms=2):
            answer = await program.request(operation.method, call.url, **call.options)
            answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
            assert answer.status_code < 500, (operation, call.url, answer.text)
            for mark in set(OWNERS.values()) - may_read:
                assert mark not in answer.text, (operation, call.url)
    assert world.rows.naming(ada.words + oscar.words) == before
    return answers


@pytest.mark.long
def test_every_answer_is_one_that_the_document_describes(world: World, runner: asyncio.Runner) -> None:
    program = runner.run(program_of(world, "ada"))
    caller = make_caller("program", world, "ada")
    caller = type(caller)(caller.name, world, program, caller.ids)
    # Without this, schemathesis would send keys that it makes up.
    whole = document()
    keyless = {path: {m: {**c, "security": []} for m, c in calls.items()} for path, calls in whole["paths"].items()}
    outcome = SchemaCalls({**whole, "paths": keyless}, runner, examples=2, seed=1).run([caller])
    assert outcome.problems == []
    assert sum(count for status, count in outcome.statuses["program"].items() if status < 300) > 10, outcome.statuses
