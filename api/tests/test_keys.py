"""`docs/data.md` names tests that are there, and every function whose answers are kept."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "data.md").read_text()
_NAMED = re.compile(r"`((?:[\w.]+/)+[\w.]+\.(?:py|ts|tsx))(?:::(\w+))?`")
_CACHED = re.compile(r"^@(?:lru_cache|cache)\b.*\n(?:@.*\n)*def (\w+)", re.MULTILINE)
_TESTS = {"tests", "testing"}


def test_each_test_that_the_table_names_is_there() -> None:
    named = _NAMED.findall(TABLE)
    assert len(named) > 40
    missing = [
        (path, name)
        for path, name in named
        if not (ROOT / path).is_file() or (name and f"def {name}(" not in (ROOT / path).read_text())
    ]
    assert missing == []


def test_each_row_names_a_test() -> None:
    rows = [row for row in TABLE.splitlines() if row.startswith("|") and not row.startswith(("|---", "| what "))]
    assert [row for row in rows if not _NAMED.search(row.rpartition(" | ")[2])] == []


def test_each_cached_function_is_in_the_table() -> None:
    missing = [
        (path.relative_to(ROOT).as_posix(), name)
        for package in ("api", "serve", "pipelines", "cluster")
        for path in (ROOT / package).rglob("*.py")
        if not _TESTS & set(path.parts)
        for name in _CACHED.findall(path.read_text())
        if f"`{name}`" not in TABLE
    ]
    assert missing == []
