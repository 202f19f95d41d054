"""Try every call of the OpenAPI document, with every form of id, as people who may not make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from api.people.auth.viewer import CHANGING_METHODS
from api.platform.http.errors import CSRF_MISMATCH, NotYourTeam
from api.testing.browser import Browser
from api.testing.proof.calls import ENDING, Call, Calls, Operation, operations
from api.testing.proof.roles import ROLES
from api.testing.proof.world import OWNERS, World

ADMIN = "/api/admin/"
REFUSED = frozenset({401, 403, 419})
MARKS = frozenset(OWNERS.values())


@dataclass(frozen=True, slots=True)
class Finding:
    role: str
    method: str
    url: str
    problem: str


class Sweep:
    """`answers` counts the statuses, so that a test can see that the calls reached the rules."""

    def __init__(self, world: World, document: Mapping[str, Any], role: str) -> None:
        own = world.own
        self._world = world
        self._document = document
        self._role = ROLES[role]
        self._name = role
        self._calls = Calls(document, own["ada"], own["oscar"], own.get(self._role.person))
        self._broken_before: set[str] = set()
        self.findings: list[Finding] = []
        self.answers: dict[int, int] = {}

    async def run(self, *, stops_at_first: bool = False) -> list[Finding]:
        """`stops_at_first`: for seeded holes, which the usual form of each id finds."""
        browser = await self._role.enter(self._world)
        forms = 0 if stops_at_first else self._role.forms
        before = self._watched()
        for operation in operations(self._document):
            if (operation.method, operation.path) in ENDING or self._role.skips(operation):
                continue
            broken = () if stops_at_first else self._broken(operation)
            for call in self._calls.of(operation, forms=forms, team=self._team(), broken=broken):
                await self._try(browser, call)
            if operation.method in CHANGING_METHODS or stops_at_first:
                before = self._compare(before, operation)
            if self.findings and stops_at_first:
                break
        self._compare(before, operation)
        return self.findings

    def _broken(self, operation: Operation) -> set[str]:
        """Parameters whose broken forms this operation gets: one reader reads all parameters of a name."""
        names = set(operation.parameters) if self._role.breaks_ids else set()
        new = names if self._role.forms is None else names - self._broken_before
        self._broken_before |= new
        return new

    def _team(self) -> str | None:
        return self._world.own["ada"].team_id if self._role.is_member else None

    def _watched(self) -> frozenset[str]:
        return self._role.watched(self._world)

    def _compare(self, before: frozenset[str], operation: Operation) -> frozenset[str]:
        after = self._watched()
        for row in sorted(before ^ after):
            self._find(operation, operation.path, f"changed {'+' if row in after else '-'} {row[:200]}")
        return after

    async def _try(self, browser: Browser, call: Call) -> None:
        if self._name == "visitor":
            # The call before may have made an account.
            browser.cookies.clear()
        headers = call.options.get("headers", {})
        if call.operation.method == "GET" and str(CSRF_MISMATCH) in call.operation.statuses:
            # It changes something all the same.
            headers = browser.csrf_headers() | headers
        answer = await browser.request(call.operation.method, call.url, **{**call.options, "headers": headers})
        self.answers[answer.status_code] = self.answers.get(answer.status_code, 0) + 1
        for problem in filter(None, (self._general(call, answer), self._own(call, answer))):
            self._find(call.operation, call.url, problem)

    def _general(self, call: Call, answer: httpx2.Response) -> str | None:
        """What nobody may ever get."""
        if answer.status_code >= 500 and answer.status_code != 503:
            return f"answered {answer.status_code}"
        for mark in MARKS - self._role.may_read:
            if mark in answer.text and mark not in call.url:
                return f"showed what belongs to somebody else: {mark}"
        if call.is_plain and str(answer.status_code) not in call.operation.statuses:
            return f"answered {answer.status_code}, which the document does not name"
        return None

    def _own(self, call: Call, answer: httpx2.Response) -> str | None:
        """What this role must get."""
        operation, status = call.operation, answer.status_code
        if not call.is_plain:
            return None
        if call.has_foreign_team and operation.knows_teams and status not in REFUSED:
            is_refused = status == NotYourTeam.status_code and answer.json().get("code") == NotYourTeam.code
            return None if is_refused else f"answered {status} to somebody of another team"
        if operation.path.startswith(ADMIN) and status not in REFUSED:
            return f"an administrator's call answered {status}"
        return self._role.judge(operation, status)

    def _find(self, operation: Operation, url: str, problem: str) -> None:
        self.findings.append(Finding(self._name, operation.method, url, problem))
