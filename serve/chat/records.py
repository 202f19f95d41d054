"""Answers that are lists of JSON records: how to ask for them and how to read them.

A model without a grammar writes one object a line and now and then a broken one; an endpoint with a schema writes one
object that holds them all. One reader takes both: it collects every JSON object that is a valid record, drops the rest
and says how many it dropped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from serve.chat.messages import ChatMessage, ChatRequest, Role
from serve.chat.model import ChatModel
from serve.core.messages import EngineRefused

RecordT = TypeVar("RecordT", bound=BaseModel)

LIST_FIELD = "records"
"""Field that holds the records where one object holds them all."""

LINES_FORM = "Answer only with JSON objects of that form, one object a line, without any other text."
OBJECT_FORM = f'Answer only with one JSON object {{"{LIST_FIELD}": [...]}} that lists objects of that form.'
REPAIR = "That answer held no usable lines. Answer again, only with valid JSON objects of the form above, one a line."

_THOUGHTS = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_SAYS_SOMETHING = re.compile(r"\w")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Records(Generic[RecordT]):
    """The valid records of an answer in order. `dropped` counts the objects that were none; 1 for a text without any.

    `is_complete` is False when the model stopped at its token limit.
    """

    records: tuple[RecordT, ...]
    dropped: int = 0
    is_complete: bool = True


def with_form(messages: Sequence[ChatMessage], sentence: str) -> tuple[ChatMessage, ...]:
    """The messages with the sentence that asks for the form at the end of the first one."""
    first, *rest = messages
    return (replace(first, content=f"{first.content}\n{sentence}"), *rest)


def list_schema(record: type[BaseModel]) -> dict[str, Any]:
    """The flat, strict JSON Schema of an object that lists these records: every field required, no other allowed."""
    schema = record.model_json_schema()
    definitions = schema.pop("$defs", None)
    schema["required"] = list(schema.get("properties", {}))
    schema["additionalProperties"] = False
    listed: dict[str, Any] = {
        "type": "object",
        "properties": {LIST_FIELD: {"type": "array", "items": schema}},
        "required": [LIST_FIELD],
        "additionalProperties": False,
    }
    return {**listed, "$defs": definitions} if definitions else listed


def read_records(text: str, record: type[RecordT], *, is_complete: bool = True) -> Records[RecordT]:
    """Every JSON object in the text that is a valid record, whether in lines, in a list or in a fenced block."""
    records: list[RecordT] = []
    dropped = 0
    answer = _THOUGHTS.sub("", text)
    for value in _objects(answer):
        listed = value.get(LIST_FIELD)
        for each in listed if isinstance(listed, list) else [value]:
            try:
                records.append(record.model_validate(each))
            except ValidationError:
                dropped += 1
    if not records and not dropped and _SAYS_SOMETHING.search(answer):
        dropped = 1
    return Records(tuple(records), dropped, is_complete)


def ask_for_records(
    model: ChatModel, requests: Sequence[ChatRequest], record: type[RecordT]
) -> list[Records[RecordT] | EngineRefused]:
    """The records of each answer. An answer without any is asked for once more; then it counts as empty."""
    asked = [replace(request, record=record) for request in requests]
    outcomes: list[Records[RecordT] | EngineRefused] = []
    repairs: dict[int, ChatRequest] = {}
    for index, (request, outcome) in enumerate(zip(asked, model.complete(asked), strict=True)):
        if isinstance(outcome, EngineRefused):
            outcomes.append(outcome)
            continue
        outcomes.append(found := read_records(outcome.text, record, is_complete=outcome.is_complete))
        if not found.records and outcome.text.strip():
            repairs[index] = _repair(request, outcome.text)
    if repairs:
        for index, outcome in zip(repairs, model.complete(list(repairs.values())), strict=True):
            # The first answer was usable in form, so a refused repair leaves it empty rather than failed.
            if not isinstance(outcome, EngineRefused):
                outcomes[index] = read_records(outcome.text, record, is_complete=outcome.is_complete)
    return outcomes


def _repair(request: ChatRequest, answer: str) -> ChatRequest:
    # A long wrong answer would only push the task out of the context.
    told = ChatMessage(Role.ASSISTANT, answer[:500]), ChatMessage(Role.USER, REPAIR)
    return replace(request, messages=(*request.messages, *told))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects; inside a broken one, those that are whole."""
    at = text.find("{")
    while at != -1:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)
