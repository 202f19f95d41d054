"""SQL expressions that mean the same on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import String, bindparam, select

from api.platform.db.engine import Database
from api.platform.db.expressions import contains_text

NAMES = ("Björn Ólafsson", "BJÖRN ÓLAFSSON", "björn ólafsson", "Bjarni Ormsson", "ÞÓRA 100%", "þóra 100 %")


@pytest.mark.parametrize(
    ("keyword", "found"),
    [
        ("björn", NAMES[:3]),
        ("BJÖRN", NAMES[:3]),
        ("Björn Ól", NAMES[:3]),
        ("bjarni orm", NAMES[3:4]),
        ("þóra", NAMES[4:]),
        ("100%", NAMES[4:5]),
        ("_", ()),
    ],
)
async def test_a_text_is_found_whatever_its_case(database: Database, keyword: str, found: tuple[str, ...]) -> None:
    async with database.read() as session:
        matches = [
            name
            for name in NAMES
            if await session.scalar(select(contains_text(bindparam(None, name, String), keyword)))
        ]
    assert matches == list(found)


def test_spellings_that_sqlite_cannot_tell_apart_are_compared_once() -> None:
    """A list over a million files looks at each row for each of them."""
    column = bindparam("name", "", String())
    assert str(contains_text(column, "BJÖRN Person 1")).count("LIKE") == 2
    assert str(contains_text(column, "Bjorn Person 1")).count("LIKE") == 1
