"""Where stored lines stand in time and in the picture, without their words."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from api.content.captions.models import CaptionLineRow
from pipelines.captions.json_form import place_from_json
from pipelines.messages.lines import Lane

SPAN = (
    CaptionLineRow.id,
    CaptionLineRow.start_ms,
    CaptionLineRow.end_ms,
    CaptionLineRow.place,
    CaptionLineRow.locked,
)


@dataclass(frozen=True, slots=True)
class LineSpan:
    """A line of the database as far as its neighbours are concerned."""

    id: uuid.UUID
    start_ms: int
    end_ms: int
    lane: Lane
    locked: bool


def span_of(row: Row[*tuple[Any, ...]]) -> LineSpan:
    """The span of a row with the columns of `SPAN`."""
    return LineSpan(row.id, row.start_ms, row.end_ms, lane_of_stored(row.place), row.locked)


def lane_of_stored(place: Mapping[str, Any] | None) -> Lane:
    """The lane of a line with this value of `place`."""
    known = place_from_json(place)
    return Lane.BOTTOM if known is None else known.lane
