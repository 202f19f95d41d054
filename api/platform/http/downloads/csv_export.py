"""A list as CSV, for `?format=csv`: all matching rows, streamed, safe to open in a spreadsheet.

A route that offers it declares `response_model=Page[...]`, takes a `CsvPageQuery`, adds `responses=CSV_RESPONSE`
and returns `csv_answer(...)` when `query.format` is `ListFormat.CSV`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from fastapi.responses import Response, StreamingResponse
from sqlalchemy import Row, Select

from api.platform.db.engine import Database
from api.platform.http.downloads.headings import heading
from api.platform.http.downloads.names import attachment
from api.platform.http.pages.language import in_page_language
from api.platform.http.paging import PageQuery
from pipelines.spreadsheet_cells import text_cell

PORTION = 1_000
"""Rows that are read and sent at once."""
BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel reads UTF-8 as the machine's old character set."""

AnyColumns = tuple[Any, ...]
Cell = str | int | float | Decimal | bool | date | datetime | None


class ListFormat(StrEnum):
    JSON = "json"
    CSV = "csv"


class CsvPageQuery(PageQuery):
    """The parameters of a list. With `format=csv` the answer has all rows, whatever the page."""

    format: ListFormat = ListFormat.JSON


CSV_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The page, or all rows as CSV.", "content": {"text/csv": {"schema": {"type": "string"}}}}
}


def csv_answer(
    database: Database,
    filename: str,
    header: Sequence[str],
    statement: Select[*AnyColumns],
    cells: Callable[[Row[*AnyColumns]], Sequence[Cell]],
) -> StreamingResponse:
    """All rows of `statement`, of one moment; `cells` makes a line of each. Reads after the route has returned."""

    async def lines() -> AsyncIterator[str]:
        yield BYTE_ORDER_MARK + _line(list(map(heading, header)))
        async with database.snapshot() as session:
            result = await session.stream(statement.execution_options(yield_per=PORTION))
            async for rows in result.partitions():
                yield "".join(_line(cells(row)) for row in rows)

    headers = {"Content-Disposition": attachment(filename), "Cache-Control": "no-store"}
    return StreamingResponse(lines(), media_type="text/csv; charset=utf-8", headers=headers)


def csv_of(filename: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """A small table as CSV."""
    text = BYTE_ORDER_MARK + "".join(_line(cells) for cells in (list(map(heading, header)), *rows))
    headers = {"Content-Disposition": attachment(filename), "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def _line(cells: Sequence[Cell]) -> str:
    target = io.StringIO()
    csv.writer(target).writerow([_text(cell) for cell in cells])
    return target.getvalue()


def _text(cell: Cell) -> str:
    """Numbers stay numbers; text never begins a formula."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return heading("yes" if cell else "no")
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int | float | Decimal):
        return str(cell)
    return text_cell(in_page_language(cell))
