"""Reading lists of records from what models write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from serve.chat.records import list_schema, read_records


class Fact(BaseModel):
    text: str
    lines: list[int]


FACTS: list[dict[str, Any]] = [{"text": "The ship sails.", "lines": [1, 2]}, {"text": "It is {blue}.", "lines": [3]}]
WHOLE = [Fact(**fact) for fact in FACTS]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, FACTS)),
        json.dumps({"records": FACTS}),
        json.dumps(FACTS, indent=2),
        "Here they are:\n```json\n" + json.dumps(FACTS) + "\n```\nAnything else?",
        '<think>Maybe {"text": "no", "lines": [9]}</think>' + "\n".join(map(json.dumps, FACTS)),
    ],
    ids=["lines", "object", "array", "fenced", "thoughts"],
)
def test_every_usual_form_gives_the_same_records(text: str) -> None:
    found = read_records(text, Fact)
    assert list(found.records) == WHOLE
    assert found.dropped == 0


def test_a_broken_line_costs_only_itself() -> None:
    first, second = map(json.dumps, FACTS)
    found = read_records(f'{first}\n{{"text": "cut of\n{{"text": 4}}\n{second}\n{{"text": "end", "lin', Fact)
    assert list(found.records) == WHOLE
    assert found.dropped == 1


def test_a_list_that_ends_too_early_keeps_its_whole_records() -> None:
    text = json.dumps({"records": [*FACTS, *FACTS]})[:-30]
    assert list(read_records(text, Fact, is_complete=False).records) == [*WHOLE, WHOLE[0]]


@pytest.mark.parametrize("text", ["", "no", "{", "{" * 5000, "[[[[", '{"records": 3}', "\x00{}"])
def test_garbage_gives_no_records(text: str) -> None:
    assert read_records(text, Fact).records == ()


def test_the_schema_is_flat_and_strict() -> None:
    schema = list_schema(Fact)
    item = schema["properties"]["records"]["items"]
    assert item["required"] == ["text", "lines"]
    assert item["additionalProperties"] is False
