"""The figures of the installation, for administrators."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from api.edges.admin.dashboard import money, service
from api.edges.admin.dashboard.schemas import DashboardOut, Figure, Range
from api.people.access.rules import AdminOnly
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, csv_of
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/admin/dashboard", tags=["admin"])


@router.get("", responses=error_responses(401, 403, 422))
async def dashboard(_admin: AdminOnly, state: State, types: Types, hours: Range = Range.WEEK) -> Data[DashboardOut]:
    return Data(data=await service.dashboard(state, types, hours))


@router.get("/{figure}", response_class=Response, responses={**error_responses(401, 403, 404, 422), **CSV_RESPONSE})
async def dashboard_csv(
    figure: Figure, _admin: AdminOnly, state: State, types: Types, hours: Range = Range.WEEK
) -> Response:
    """One of the figures as CSV."""
    found = await service.dashboard(state, types, hours)
    if figure is Figure.REVENUE:
        # Its months do not follow the range of the page.
        months = [(row.month, row.currency, _major(row.stripe), _major(row.contract)) for row in found.revenue]
        return csv_of(f"revenue-{money.MONTHS}-months.csv", ("month", "currency", "stripe", "contract"), months)
    rows = _rows(found, figure)
    header = list(type(rows[0]).model_fields) if rows else []
    cells: list[list[Cell]] = [[getattr(row, name) for name in header] for row in rows]
    return csv_of(f"{figure}-{hours}h.csv", header, cells)


def _major(cents: int) -> Decimal:
    """An amount as spreadsheets want it, with its two digits: 1900 becomes 19.00."""
    return Decimal(cents).scaleb(-2)


def _rows(found: DashboardOut, figure: Figure) -> Sequence[BaseModel]:
    rows: dict[Figure, Sequence[BaseModel]] = {
        Figure.PEOPLE: found.people.by_time,
        Figure.MINUTES: found.minutes.by_time,
        Figure.ENGINES: found.engines,
        Figure.QUEUES: found.queues,
        Figure.FAILURES: found.failures,
        Figure.STORAGE: [found.storage],
    }
    return rows[figure]
