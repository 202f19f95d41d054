"""Calls made from the OpenAPI document: each with several forms of each id, and with the team of somebody else."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from api.people.auth.viewer import TEAM_HEADER
from api.testing.browser import PASSWORD
from api.testing.proof.belongings import Belongings
from api.testing.proof.bodies import Bodies, Names

_PARAMETER = re.compile(r"\{(\w+)\}")
_SIGNED_IN = frozenset({"401", "409", "422"})
"""The statuses that every call of a signed-in person names."""
ENDING = frozenset(
    {
        ("POST", "/api/user/logout"),
        ("DELETE", "/api/user/sessions"),
        ("DELETE", "/api/user"),
        ("POST", "/register"),
        ("POST", "/login"),
        ("POST", "/login/code"),
        ("POST", "/login/passkey"),
    }
)
"""Calls that end the caller's session, or start another. They name nothing of anybody else."""


_EVERY = 4


def some(paths: Iterable[str]) -> list[str]:
    """Every fourth path, for the short form of a campaign over all of them."""
    return list(islice(paths, 0, None, _EVERY))


def with_some_paths(document: Mapping[str, Any]) -> dict[str, Any]:
    """The OpenAPI document with every fourth of its paths."""
    paths = document["paths"]
    return {**document, "paths": {path: paths[path] for path in some(paths)}}


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    described: Mapping[str, Any]

    @property
    def statuses(self) -> frozenset[str]:
        return frozenset(self.described["responses"])

    @property
    def parameters(self) -> list[str]:
        """Those of the path."""
        return _PARAMETER.findall(self.path)

    @property
    def needs_sign_in(self) -> bool:
        return "401" in self.statuses

    @property
    def knows_teams(self) -> bool:
        """Whether the active team is looked at."""
        return self.statuses >= _SIGNED_IN


@dataclass(frozen=True, slots=True)
class Call:
    """`is_plain`: the URL is surely one of this operation, whatever its ids are."""

    operation: Operation
    url: str
    options: Mapping[str, Any]
    is_plain: bool = True
    has_foreign_team: bool = False


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            yield Operation(method.upper(), path, described)


def names_of(belongings: Belongings) -> Names:
    owner, file = belongings.owner, belongings.file
    return Names(str(owner.user_id), belongings.team_id, str(file.id), file.slug, PASSWORD)


class Calls:
    """The calls by which somebody may try to reach the belongings of another.

    `another` has things of a third person, and `foreign_team` is a team in which the caller is not.
    """

    def __init__(
        self, document: Mapping[str, Any], target: Belongings, another: Belongings, caller: Belongings | None = None
    ) -> None:
        self._document = document
        self._target = target
        self._another = another
        self._caller = caller or another
        self._bodies = Bodies(document, names_of(target))

    def of(
        self, operation: Operation, *, forms: int | None, team: str | None = None, broken: Collection[str] = ()
    ) -> Iterator[Call]:
        """`forms`: how many of each id; None for all. `team`: also as a member of this one.

        `broken`: the parameters whose id also gets forms that are none.
        """
        names = operation.parameters
        usual = {name: self._ids(name)[0] for name in names}
        bodies = self._bodies.of(operation.described)
        for body in bodies:
            yield self._call(operation, usual, body)
        foreign = {"headers": {TEAM_HEADER: self._another.team_id}}
        yield Call(operation, operation.path.format_map(usual), bodies[0] | foreign, has_foreign_team=True)
        if team is not None:
            for body in bodies:
                yield self._call(operation, usual, body | {"headers": {TEAM_HEADER: team}})
        for name in names:
            for value in islice(self._plain_forms(name), forms):
                yield self._call(operation, usual | {name: value}, bodies[0])
            if name in broken:
                for value in self._broken_forms(name):
                    url = operation.path.format_map(usual | {name: value})
                    yield Call(operation, url, bodies[0], is_plain=False)

    def own(self, operation: Operation) -> Iterator[Call]:
        """The calls that the owner makes, with every body."""
        usual = {name: self._ids(name)[0] for name in operation.parameters}
        for body in self._bodies.of(operation.described):
            yield self._call(operation, usual, body)

    def _call(self, operation: Operation, values: Mapping[str, str], options: Mapping[str, Any]) -> Call:
        return Call(operation, operation.path.format_map(values), options)

    def _ids(self, name: str) -> list[str]:
        return self._target.ids.get(name, [str(self._target.file.id)])

    def _plain_forms(self, name: str) -> Iterator[str]:
        """A third person's, one in the bin, each other id, one that names nothing, and other letters."""
        first, *others = self._ids(name)
        yield self._another.ids.get(name, [str(self._another.file.id)])[0]
        yield self._target.binned
        yield from others
        yield _random_like(first)
        yield first.upper()
        yield first.replace("-", "")
        yield from ("0", "-1", "9" * 30, "null", "not-an-id", "ð", "x" * 300)

    def _broken_forms(self, name: str) -> Iterator[str]:
        """Ways round a check of the first letters, or of the whole path."""
        first = self._ids(name)[0]
        own = self._caller.ids.get(name, [self._caller.file.slug])[0]
        yield f"{own}%2F..%2F{first}"
        yield f"..%2F{first}"
        yield f"%2e%2e%2f{first}"
        yield f"%252e%252e%252f{first}"
        yield f"{own}/../{first}"
        yield f"{first}%00"
        yield f"{first}%20"
        yield f"%20{first}"
        yield f"{first}/"
        yield f"{own},{first}"
        yield f"{own};{first}"
        yield f"{first}%3Fa=b"
        yield "..%2F..%2F..%2Fetc%2Fpasswd"
        yield "%ff%fe"


def _random_like(value: str) -> str:
    try:
        uuid.UUID(value)
    except ValueError:
        return uuid.uuid4().hex[: len(value)]
    return str(uuid.uuid4())
