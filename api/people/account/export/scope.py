"""Whose things a copy holds: what one person added, or what a team has."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement

from api.people.access.owned import Owned
from api.people.access.rules import added_by, of_team


@dataclass(frozen=True, slots=True)
class OfPerson:
    user_id: uuid.UUID

    def owned(self, table: type[Owned]) -> ColumnElement[bool]:
        return added_by(self.user_id, table)

    def on_files(self, table: type[Any], file: type[Owned]) -> ColumnElement[bool]:
        """The rows of a table that belong to files: those that the person wrote, on anybody's."""
        return added_by(self.user_id, table)


@dataclass(frozen=True, slots=True)
class OfTeam:
    team_id: uuid.UUID

    def owned(self, table: type[Owned]) -> ColumnElement[bool]:
        return of_team(self.team_id, table)

    def on_files(self, table: type[Any], file: type[Owned]) -> ColumnElement[bool]:
        """The rows of a table that belong to the team's files, whoever wrote them."""
        return of_team(self.team_id, file)


Scope = OfPerson | OfTeam
