"""Lists as CSV: every row, in the spreadsheet's own types, and no cell that it would run."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.people.access.rules import AdminOnly
from api.people.users.models import User
from api.platform.http.downloads.csv_export import csv_answer
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import Browser

FORMULAS = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1"]


def first(app: FastAPI) -> None:
    """Put the newest route before those of the pages, which match every path."""
    app.router.routes.insert(0, app.router.routes.pop())


async def test_a_list_streams_whole_and_never_runs_in_a_spreadsheet(
    ada: Browser, state: AppState, app: FastAPI
) -> None:
    await promote(state, ada.user_id)
    async with state.database.write() as session:
        for number, name in enumerate([*FORMULAS, 'Þór "the" smith, jr.', *(f"Person {n}" for n in range(2_500))]):
            session.add(User(name=name, email=f"{number}@list.example", password_hash="-", locale="en"))

    @app.get("/test/csv")
    async def route(viewer: AdminOnly) -> object:
        statement = select(User.name, User.email, User.is_admin).order_by(User.created_at, User.id)
        moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
        return csv_answer(
            state.database,
            "people.csv",
            ["name", "email", "admin", "balance", "at", "gone"],
            statement,
            lambda row: [row.name, row.email, row.is_admin, -5, moment, None],
        )

    first(app)
    answer = await ada.get("/test/csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "people.csv" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert len(rows) == 1 + len(FORMULAS) + 1 + 2_500
    by_email = {row["email"]: row for row in rows}
    for number, name in enumerate(FORMULAS):
        assert by_email[f"{number}@list.example"]["name"] == f"'{name}"
    plain = by_email[f"{len(FORMULAS)}@list.example"]
    assert plain["name"] == 'Þór "the" smith, jr.'
    assert plain == plain | {"admin": "no", "balance": "-5", "at": "2026-01-02T03:04:05+00:00", "gone": ""}
    assert by_email["ada@example.com"]["admin"] == "yes"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_only_administrators_pass(ada: Browser, visitor: Browser, app: FastAPI) -> None:
    @app.get("/test/admin")
    async def route(viewer: AdminOnly) -> str:
        return str(viewer.user_id)

    first(app)
    assert (await visitor.get("/test/admin")).status_code == 401
    assert (await ada.get("/test/admin")).status_code == 403
