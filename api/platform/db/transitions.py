"""Status columns that move only as a table allows. Nothing else writes a status; a test reads the code for it.

Each domain declares its table in a module `transitions.py`. A status that lists itself may be written again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import ColumnElement, Enum, Update, update
from sqlalchemy.orm import InstrumentedAttribute

from api.platform.db.base import Base

RowT = TypeVar("RowT", bound=Base)
StatusT = TypeVar("StatusT", bound=StrEnum)


class IllegalTransition(Exception):
    """A step from one status to another that the table does not list: a programming error."""


def status_type(statuses: type[StrEnum], length: int = 20) -> Enum:
    """A column type that stores the values of `statuses` as plain strings and reads them back as members."""
    return Enum(
        statuses,
        values_callable=lambda members: [member.value for member in members],
        native_enum=False,
        create_constraint=False,
        length=length,
    )


@dataclass(frozen=True)
class Transitions(Generic[RowT, StatusT]):
    """Which status of a row of `model` may follow which."""

    model: type[RowT]
    column: InstrumentedAttribute[Any]
    allowed: Mapping[StatusT, frozenset[StatusT]]

    def move(self, row: RowT, status: StatusT) -> None:
        """Set the status. Raises `IllegalTransition`."""
        if not self.try_move(row, status):
            raise IllegalTransition(f"{self.model.__name__} cannot go from {self._status_of(row)} to {status}.")

    def try_move(self, row: RowT, status: StatusT) -> bool:
        """Set the status if the table allows it, where a refusal is a case the caller handles."""
        if status not in self.allowed[self._status_of(row)]:
            return False
        setattr(row, self.column.key, status)
        return True

    def sources(self, status: StatusT) -> frozenset[StatusT]:
        """The statuses that `status` may follow."""
        return frozenset(source for source, targets in self.allowed.items() if status in targets)

    def update_to(self, status: StatusT) -> Update:
        """An UPDATE that moves every row whose status allows it; add conditions and other values to it."""
        may_follow: ColumnElement[bool] = self.column.in_(self.sources(status))
        return update(self.model).where(may_follow).values({self.column.key: status})

    def _status_of(self, row: RowT) -> StatusT:
        return cast(StatusT, getattr(row, self.column.key))
