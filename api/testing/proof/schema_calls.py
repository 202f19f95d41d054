"""Calls that fit the OpenAPI document, and calls that just do not, made by schemathesis and judged by its checks.

Several people make each generated call. Every other one names things that exist, in its path and in its body: generated
ids name nothing, so that such calls end before the product does anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Unsatisfiable
from requests import Request
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.testing.browser import PASSWORD, Browser
from api.testing.proof.calls import ENDING
from api.testing.proof.world import World

_CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
_ORDER = ("GET", "POST", "PUT", "PATCH", "DELETE")
_SWITCHES = "/api/browse-as"
"""After these calls an administrator is somebody else."""
_UNAVAILABLE = frozenset({"/api/polling/initiate"})
"""Calls that answer 503 because no relay runs beside the app."""
_ANY_TEXT = frozenset({"type", "title"})
"""The keys of a path parameter that takes every text."""
_SHOWN = 400
"""Letters of an answer in a problem."""
_PASSWORDS = frozenset({"password", "password_confirmation", "password_old", "confirmation"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who makes every call. `ids` are what exists, by the name of a parameter or a property."""

    name: str
    world: World
    browser: Browser
    ids: Mapping[str, str]


@dataclass(slots=True)
class Outcome:
    """`statuses` counts the answers by caller."""

    problems: list[str] = field(default_factory=list)
    statuses: dict[str, dict[int, int]] = field(default_factory=dict)

    def count(self, caller: str, status: int) -> None:
        counts = self.statuses.setdefault(caller, {})
        counts[status] = counts.get(status, 0) + 1


def make_caller(name: str, world: World, person: str, **ids: str) -> Caller:
    """`ids` replace those of what Ada owns."""
    ada = world.own["ada"]
    usual = {each: values[0] for each, values in ada.ids.items()}
    more = {"file": ada.file.slug, "file_ids": str(ada.file.id)} | dict.fromkeys(_PASSWORDS, PASSWORD)
    return Caller(name, world, world.people[person], usual | more | ids)


class SchemaCalls:
    def __init__(self, document: Mapping[str, Any], runner: asyncio.Runner, *, examples: int, seed: int) -> None:
        """`examples` right calls of each kind and half as many wrong ones; another `seed` makes others.

        The callers' worlds live in `runner`.
        """
        self._schema = schemathesis.openapi.from_dict(dict(document))
        self._runner = runner
        self._examples = examples
        self._seed = seed

    def run(self, callers: Sequence[Caller]) -> Outcome:
        outcome = Outcome()
        for operation in self._operations():
            people = callers
            if (operation.method.upper(), operation.path) in ENDING:
                people = [self._runner.run(_newcomer(each)) for each in callers]
            self._try(operation, GenerationMode.POSITIVE, people, outcome)
            if _can_be_wrong(operation):
                with suppress(Unsatisfiable):
                    self._try(operation, GenerationMode.NEGATIVE, people, outcome)
        return outcome

    def _operations(self) -> list[Any]:
        """Those that look first, then those that change, and last those that end something, the largest last."""
        found = []
        for index, result in enumerate(self._schema.get_all_operations()):
            assert isinstance(result, Ok), result
            operation = result.ok()
            method = operation.method.upper()
            is_last = operation.path.startswith(_SWITCHES) or (method, operation.path) in ENDING
            found.append((is_last, _ORDER.index(method), -index if method == "DELETE" else index, operation))
        return [operation for *_order, operation in sorted(found, key=lambda each: each[:3])]

    def _try(self, operation: Any, mode: GenerationMode, callers: Sequence[Caller], outcome: Outcome) -> None:
        number = 0

        @seeded(self._seed)
        @settings(
            max_examples=self._examples if mode is GenerationMode.POSITIVE else max(1, self._examples // 2),
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def call(case: Any) -> None:
            nonlocal number
            number += 1
            path, body = case.path_parameters, case.body
            for each in callers:
                if number % 2:
                    case.path_parameters = {name: each.ids.get(name, value) for name, value in (path or {}).items()}
                    case.body = _named("", body, each.ids)
                self._runner.run(_make(each, case, outcome))

        call()


def _can_be_wrong(operation: Any) -> bool:
    """Whether some call does not fit. Where a path takes any text, looking for one takes 450 draws and finds none."""
    if any(len(part) for part in (operation.query, operation.headers, operation.cookies, operation.body)):
        return True
    return any(part.definition["schema"].keys() - _ANY_TEXT for part in operation.path_parameters)


def _named(name: str, value: Any, ids: Mapping[str, str]) -> Any:
    """The same body, naming what exists wherever it names something."""
    if isinstance(value, dict):
        return {key: _named(key, each, ids) for key, each in value.items()}
    if isinstance(value, list):
        return [_named(name, each, ids) for each in value]
    return ids.get(name, value) if isinstance(value, str) else value


async def _make(caller: Caller, case: Any, outcome: Outcome) -> None:
    answer = await caller.browser.request(case.method, **_arguments(case))
    outcome.count(caller.name, answer.status_code)
    problems = [] if answer.status_code < 500 or case.path in _UNAVAILABLE else [f"Status {answer.status_code}"]
    try:
        case.validate_response(answer, checks=_CHECKS)
    except FailureGroup as group:
        problems += [f"{type(problem).__name__}: {problem}" for problem in group.exceptions]
    if problems:
        call = case.as_curl_command(headers={})
        outcome.problems.append("\n".join((caller.name, *problems, call, answer.text[:_SHOWN])))


def _arguments(case: Any) -> dict[str, Any]:
    """What httpx2 takes for what schemathesis passes to requests."""
    made = Request(**case.as_transport_kwargs(base_url="http://localhost")).prepare()
    content = made.body.encode() if isinstance(made.body, str) else made.body
    return {"url": made.url, "headers": dict(made.headers), "content": content}


async def _newcomer(caller: Caller) -> Caller:
    """A new account for a call that ends a session. Its owner comes from an address of their own."""
    return Caller(caller.name, caller.world, await caller.world.newcomer(), caller.ids)
