"""Calls that fit the OpenAPI document, and calls that just do not: every answer is one that the document describes.

`python -m benchmarks.soak schema` makes more of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from api.openapi import openapi_document
from api.testing.proof.schema_calls import Caller, SchemaCalls
from api.testing.proof.schema_people import opened_people

EXAMPLES = 2
SEED = 1


@pytest.fixture(scope="module")
def people(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Caller]]:
    with opened_people(tmp_path_factory.mktemp("schema"), runner) as opened:
        yield opened


def only(path: str, method: str) -> dict[str, Any]:
    """The document of one call."""
    whole = openapi_document()
    return deepcopy(whole | {"paths": {path: {method: whole["paths"][path][method]}}, "webhooks": {}})


def problems(document: dict[str, Any], runner: asyncio.Runner, people: list[Caller]) -> list[str]:
    return SchemaCalls(document, runner, examples=EXAMPLES, seed=SEED).run(people).problems


@pytest.mark.long
def test_a_status_that_the_document_lacks_is_found(runner: asyncio.Runner, people: list[Caller]) -> None:
    document = only("/api/user", "get")
    assert problems(document, runner, people) == []
    del document["paths"]["/api/user"]["get"]["responses"]["200"]
    assert "Undocumented status code" in problems(document, runner, people)[0]


def test_a_body_of_another_form_is_found(runner: asyncio.Runner, people: list[Caller]) -> None:
    document = only("/api/user", "get")
    assert problems(document, runner, people) == []
    document["components"]["schemas"]["UserOut"]["properties"]["name"]["type"] = "integer"
    assert 'is not of type "integer"' in problems(document, runner, people)[0]


def test_a_part_of_a_file_is_an_answer_that_the_document_describes(
    runner: asyncio.Runner, people: list[Caller]
) -> None:
    user = people[0]
    for path, operations in openapi_document()["paths"].items():
        described = operations.get("get", {}).get("responses", {})
        if "206" not in described:
            continue
        for wanted in ("bytes=0-0", "bytes=999999999-", "bytes=-1", "lines=1"):
            call = user.browser.get(path.format_map(user.ids), headers={"Range": wanted})
            assert str(runner.run(call).status_code) in described, (path, wanted)


@pytest.mark.long
def test_every_answer_is_one_that_the_document_describes(runner: asyncio.Runner, people: list[Caller]) -> None:
    outcome = SchemaCalls(openapi_document(), runner, examples=EXAMPLES, seed=SEED).run(people)
    assert outcome.problems == []
    # Refused calls alone would prove little.
    for statuses in outcome.statuses.values():
        assert sum(count for status, count in statuses.items() if status < 300) > 60, outcome.statuses
