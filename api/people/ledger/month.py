"""A calendar month in UTC: the unit in which usage is summed and invoiced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import StringConstraints

from cluster.wording.message import Message

MonthText = Annotated[str, StringConstraints(pattern=r"^20\d\d-(0[1-9]|1[0-2])$")]


@dataclass(frozen=True, slots=True, order=True)
class Month:
    year: int
    number: int

    @classmethod
    def of(cls, time: datetime) -> Month:
        time = time.astimezone(UTC)
        return cls(time.year, time.month)

    @classmethod
    def read(cls, text: str) -> Month:
        """Read `2026-11`. Raises `ValueError`."""
        year, _, number = text.partition("-")
        month = cls(int(year), int(number))
        if not 1 <= month.number <= 12:
            raise ValueError(Message("ledger.not_month", "{text} is not a month.", text=text))
        return month

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    @property
    def start(self) -> datetime:
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first moment that is no longer in it."""
        return self.following.start

    @property
    def following(self) -> Month:
        return Month(self.year + 1, 1) if self.number == 12 else Month(self.year, self.number + 1)
