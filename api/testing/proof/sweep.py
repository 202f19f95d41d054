"""Try every call of the OpenAPI document, with every form of id, as people who may not make it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from api.auth.viewer import CHANGING_METHODS, TEAM_HEADER
from api.testing.browser import PASSWORD, Browser
from api.testing.proof.bodies import Bodies, Names
from api.testing.proof.world import MARK, World

_PARAMETER = re.compile(r"\{(\w+)\}")
ADMIN = "/api/admin/"
_REFUSED = frozenset({401, 403, 419})
_TEAM_REFUSED = _REFUSED | {422}
"""The active team is not one of theirs."""
OWN = frozenset(
    {
        ("POST", "/api/user/logout"),
        ("DELETE", "/api/user/sessions"),
        ("DELETE", "/api/user"),
        ("POST", "/register"),
        ("POST", "/login"),
    }
)
"""Calls that end the session that the sweep needs, or start another. They name nothing of anybody else."""
VIEWERS_OWN = frozenset({("POST", "/api/teams/{team_id}/leave")})
FORMS = {"eve": None, "visitor": 1, "vera": 1, "root": 1}
"""How many forms of an id each role tries; None for all."""


@dataclass(frozen=True, slots=True)
class Finding:
    role: str
    method: str
    url: str
    problem: str


@dataclass(frozen=True, slots=True)
class Call:
    method: str
    path: str
    url: str
    options: Mapping[str, Any]

    @property
    def has_team(self) -> bool:
        return TEAM_HEADER in self.options.get("headers", {})


class Sweep:
    """`answers` counts the statuses by role, so that a test can see that the calls reached the rules."""

    def __init__(self, world: World, document: Mapping[str, Any]) -> None:
        self._world = world
        self._document = document
        names = Names(str(world.ada.user_id), world.team_id, str(world.file.id), world.file.slug, PASSWORD)
        self._bodies = Bodies(document, names)
        self.findings: list[Finding] = []
        self.answers: dict[str, dict[int, int]] = {}

    async def run(self, role: str, *, stops_at_first: bool = False) -> list[Finding]:
        before = await self._world.watched()
        for method, path, operation in self._operations():
            if self._is_skipped(role, method, path):
                continue
            calls = list(self._calls(method, path, operation, FORMS[role]))
            for call in calls:
                await self._try(role, getattr(self._world, role), call)
            if method in CHANGING_METHODS:
                after = await self._world.watched()
                for row in sorted(before ^ after):
                    sign = "+" if row in after else "-"
                    self._find(role, calls[0], f"changed {sign} {row[:160]}")
                before = after
            if self.findings and stops_at_first:
                break
        return self.findings

    async def _try(self, role: str, browser: Browser, call: Call) -> None:
        if role == "visitor":
            # The call before may have made an account.
            browser.cookies.clear()
        answer = await browser.request(call.method, call.url, **call.options)
        statuses = self.answers.setdefault(role, {})
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        if answer.status_code >= 500 and answer.status_code != 503:
            self._find(role, call, f"answered {answer.status_code}")
        may_look = role == "vera"
        if not may_look and MARK in answer.text and MARK not in call.url:
            self._find(role, call, "showed what belongs to somebody else")
        if call.path.startswith(ADMIN) and answer.status_code not in (_TEAM_REFUSED if call.has_team else _REFUSED):
            self._find(role, call, f"an administrator's call answered {answer.status_code}")
        if role == "visitor" and self._needs_sign_in(call) and answer.status_code not in (401, 419):
            self._find(role, call, f"a visitor got {answer.status_code}")

    def _find(self, role: str, call: Call, problem: str) -> None:
        self.findings.append(Finding(role, call.method, call.url, problem))

    def _is_skipped(self, role: str, method: str, path: str) -> bool:
        if role != "visitor" and (method, path) in OWN:
            return True
        if role == "vera" and (method, path) in VIEWERS_OWN:
            return True
        return role == "root" and (path.startswith((ADMIN, "/api/browse-as", "/api/models")))

    def _needs_sign_in(self, call: Call) -> bool:
        return "401" in self._document["paths"][call.path][call.method.lower()]["responses"]

    def _operations(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        for path, operations in self._document["paths"].items():
            for method, operation in operations.items():
                yield method.upper(), path, operation

    def _calls(self, method: str, path: str, operation: Mapping[str, Any], forms: int | None) -> Iterator[Call]:
        names = _PARAMETER.findall(path)
        ids = self._world.ids
        usual = {name: ids.get(name, [str(self._world.file.id)])[0] for name in names}
        chosen = [usual]
        if names:
            first = names[0]
            chosen = [usual | {first: value} for value in ids.get(first, [usual[first]])[:forms]]
        for values in chosen:
            for body in self._bodies.of(operation):
                yield Call(method, path, path.format_map(values), body)
        if method in CHANGING_METHODS:
            for body in self._bodies.of(operation):
                yield Call(method, path, path.format_map(usual), body | {"headers": {TEAM_HEADER: self._world.team_id}})
