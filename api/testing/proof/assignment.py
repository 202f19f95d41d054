"""Mass assignment: bodies that name somebody else's things, or set what no body may set.

Somebody makes each call with a body on their own things. Then the same call is repeated with every property that any
table of the product has, set to somebody else's id or to a privileged value: the rows must come out the same. Last,
each text in the body is replaced by the ids of somebody else's things: nothing of theirs may change or show.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Boolean, DateTime, Float, Integer, Uuid

from api.people.auth.viewer import CHANGING_METHODS
from api.people.plans.tiers import PlanTier
from api.people.teams.models import TeamRole
from api.platform.db.base import Base
from api.platform.realtime.messages import channel_of
from api.testing.proof.belongings import Belongings
from api.testing.proof.calls import ENDING, Call, Calls, Operation, operations
from api.testing.proof.rows import Row
from api.testing.proof.world import World

_NUMBER = 987_654
_TEXT = "planted"
_MOMENT = "2031-02-03T04:05:06+00:00"
_ENUMS = {"role": TeamRole.OWNER, "plan": PlanTier.ENTERPRISE, "tier": PlanTier.ENTERPRISE, "status": "active"}
_RESPONSE_ONLY = ("teams", "has_subscription", "has_team", "plan", "payer", "owner", "may_change", "price", "members")


@dataclass(frozen=True, slots=True)
class PlantedProblem:
    operation: Operation
    problem: str


class Assignment:
    """`compared` counts the calls that succeeded, for which the comparison says something."""

    def __init__(self, world: World, document: Mapping[str, Any], person: str = "eve", victim: str = "ada") -> None:
        self._world = world
        self._browser = world.people[person]
        self._own, self._other = world.own[person], world.own[victim]
        self._document = document
        self._calls = Calls(document, self._own, self._other)
        self._extras = _privileged(self._other)
        self._known = self._texts_from_start()
        self._shown: dict[Row, str] = {}
        self.findings: list[PlantedProblem] = []
        self.compared = 0

    async def run(self, *, stops_at_first: bool = False) -> list[PlantedProblem]:
        for operation in operations(self._document):
            if operation.method not in CHANGING_METHODS or (operation.method, operation.path) in ENDING:
                continue
            calls = [(call, kind) for call in self._calls.own(operation) if (kind := _kind(call)) is not None]
            known = {name for call, kind in calls for name in call.options[kind]}
            for call, kind in calls:
                await self._add(call, kind, known)
                await self._replace(call, kind)
            if self.findings and stops_at_first:
                break
        return self.findings

    async def _add(self, call: Call, kind: str, known: Collection[str]) -> None:
        """Send what the call does not know."""
        body = call.options[kind]
        added = {name: value for name, value in self._extras.items() if name not in known}
        plain, expected = await self._after(call, {kind: body})
        if kind == "files":
            added = {name: (None, str(value)) for name, value in added.items()}
        status, rows = await self._after(call, {kind: body | added})
        self.compared += plain < 300
        if status == 422 and plain < 300:
            # The call refuses what it does not know.
            return
        if status != plain:
            self._find(call, f"answered {status} instead of {plain} to more properties")
        for row in sorted(rows ^ expected):
            self._find(call, f"wrote {'+' if row in rows else '-'} {row[:300]}")

    async def _after(self, call: Call, options: Mapping[str, Any]) -> tuple[int, frozenset[str]]:
        """The status, and the rows without what is new and random in them."""
        self._world.reset()
        answer = await self._browser.request(call.operation.method, call.url, **options)
        return answer.status_code, frozenset(self._text(row) for row in self._world.rows.every())

    def _texts_from_start(self) -> set[str]:
        self._world.reset()
        known = {value for row in self._world.rows.every() for value in row.values.values() if isinstance(value, str)}
        return known | {str(value).replace("-", "") for value in self._extras.values()} | set(_ENUMS.values())

    def _text(self, row: Row) -> str:
        if row not in self._shown:
            values = {name: _plain(value, self._known) for name, value in row.values.items()}
            self._shown[row] = f"{row.table} {json.dumps(values)}"
        return self._shown[row]

    async def _replace(self, call: Call, kind: str) -> None:
        self._world.reset()
        before = self._others_rows()
        others = [self._other.file.slug, self._other.ids["tag"][0], *map(str, self._ids())]
        for body in _replaced(call.options[kind], others):
            answer = await self._browser.request(call.operation.method, call.url, **{kind: body})
            if answer.status_code >= 500 and answer.status_code != 503:
                self._find(call, f"answered {answer.status_code} to {body}")
            if self._other.mark in answer.text and self._other.mark not in str(body):
                self._find(call, f"showed what belongs to somebody else for {body}")
        for row in sorted(before ^ self._others_rows()):
            self._find(call, f"changed for somebody else {row[:300]}")

    def _others_rows(self) -> frozenset[str]:
        """Ids with dashes are texts that somebody typed."""
        words = (*self._other.words, channel_of(self._other.owner.user_id))
        return frozenset(row.text for row in self._world.rows.every() if any(word in row.text for word in words))

    def _ids(self) -> Iterator[uuid.UUID]:
        yield self._other.owner.user_id
        yield uuid.UUID(self._other.team_id)
        yield self._other.file.id

    def _find(self, call: Call, problem: str) -> None:
        self.findings.append(PlantedProblem(call.operation, problem))


def _kind(call: Call) -> str | None:
    """How the call carries properties."""
    return next((each for each in ("json", "files") if isinstance(call.options.get(each), dict)), None)


def _privileged(other: Belongings) -> dict[str, Any]:
    """Every column of every table, by name, with somebody else's id or a value that nobody gives themselves."""
    values: dict[str, Any] = dict.fromkeys(_RESPONSE_ONLY, _TEXT)
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if column.name in _ENUMS:
                value: Any = _ENUMS[column.name]
            elif isinstance(column.type, Uuid):
                value = _id_for(column.name, other)
            elif isinstance(column.type, Boolean):
                value = True
            elif isinstance(column.type, (Integer, Float)):
                value = _NUMBER
            elif isinstance(column.type, DateTime):
                value = _MOMENT
            else:
                value = _TEXT
            values[column.name] = value
    return values


def _id_for(name: str, other: Belongings) -> str:
    if "team" in name:
        return other.team_id
    if "file" in name or name in {"id", "subject_id", "track_id"}:
        return str(other.file.id)
    return str(other.owner.user_id)


def _plain(value: Any, known: set[str]) -> Any:
    """New texts are random or hold random ids; what was planted in them stays."""
    if not isinstance(value, str) or value in known:
        return value
    return "".join(word for word in (_TEXT, str(_NUMBER)) if word in value)


def _replaced(body: Any, others: list[str]) -> Iterator[Any]:
    """The body with one of its texts replaced, for each text and each replacement."""
    if isinstance(body, str):
        yield from others
    elif isinstance(body, tuple):
        yield from ((None, each) for each in others)
    elif isinstance(body, list):
        for index, each in enumerate(body):
            yield from ([*body[:index], value, *body[index + 1 :]] for value in _replaced(each, others))
    elif isinstance(body, dict):
        for name, each in body.items():
            yield from (body | {name: value} for value in _replaced(each, others))
