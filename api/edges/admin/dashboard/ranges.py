"""A range of time and its steps: hours of a day, days of longer ranges."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, SQLColumnExpression

from api.edges.admin.dashboard.schemas import Point, Range
from api.platform.db.expressions import epoch_s

HOUR_S, DAY_S = 3_600, 86_400


@dataclass(frozen=True, slots=True)
class Window:
    """From `since`, the beginning of a step, to `until`."""

    since: datetime
    until: datetime
    step_s: int

    @classmethod
    def of(cls, hours: Range, now: datetime) -> Window:
        step_s = HOUR_S if hours is Range.DAY else DAY_S
        first = (now - timedelta(hours=hours)).timestamp() // step_s + 1
        return cls(datetime.fromtimestamp(first * step_s, UTC), now, step_s)

    def step_of(self, column: SQLColumnExpression[Any]) -> ColumnElement[int]:
        """The number of the step since 1970."""
        return epoch_s(column) // self.step_s

    def points(self, values: dict[int, float]) -> list[Point]:
        """One for each step, 0 where nothing happened."""
        first, last = (int(time.timestamp() // self.step_s) for time in (self.since, self.until))
        return [
            Point(at=datetime.fromtimestamp(step * self.step_s, UTC), value=values.get(step, 0))
            for step in range(first, last + 1)
        ]
