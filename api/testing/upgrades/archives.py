"""What versions of the past left on disk, made by the versions themselves, and what they answered about it.

python -m api.testing.upgrades.archives DATA_DIR known.json OUT.tar.xz
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import tarfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import make_url

from api.platform.operations.backup.postgres_programs import load

ARCHIVES = {path.name.partition(".")[0]: path for path in sorted((Path(__file__).parent / "versions").glob("*.tar.xz"))}
"""By the number of the schema that each version wrote."""
_DATA = "data"
_KNOWN = "known.json"
_DUMP = "database.dump"
_LEFT_OUT = re.compile(rf"{_DATA}/(?:logs|run|work|models)(?:/.*)?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:.*")


@dataclass(frozen=True)
class Left:
    """What a version has left, and what was `known` of it. `dump`: of PostgreSQL, where SQLite is not in the folder."""

    data_dir: Path
    known: dict[str, Any]
    dump: Path | None
    age_s: float

    def load(self, url: str) -> None:
        """Put the dump into an empty database, as if it had been made just now."""
        assert self.dump is not None
        load(url, self.dump)
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain) as connection:
            columns = connection.execute(
                "SELECT table_name, column_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'"
            ).fetchall()
            for table, column in columns:
                moved = SQL("UPDATE {0} SET {1} = {1} + make_interval(secs => {2})")
                connection.execute(moved.format(Identifier(table), Identifier(column), Literal(self.age_s)))


def pack(data_dir: Path, known: Path, out: Path, dump: Path | None = None) -> None:
    """Pack what a stopped installation has left, without its logs."""
    with tarfile.open(out, "w:xz", preset=9) as archive:
        archive.add(known, _KNOWN)
        if dump is not None:
            archive.add(dump, _DUMP)
        archive.add(data_dir, _DATA, filter=lambda each: None if _LEFT_OUT.fullmatch(each.name) else each)


def unpack(archive: Path, folder: Path) -> Left:
    """What is in the archive, as old as if it had been left just now."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    known: dict[str, Any] = json.loads((folder / _KNOWN).read_text())
    age_s = (datetime.now(UTC) - datetime.fromisoformat(known["made_at"])).total_seconds()
    dump = folder / _DUMP
    if not dump.is_file():
        _move_times(folder / _DATA / "sagascript.db", age_s)
        return Left(folder / _DATA, known, None, age_s)
    return Left(folder / _DATA, known, dump, age_s)


def _move_times(database: Path, seconds: float) -> None:
    """Or sessions, the bin and unfinished uploads would have ended in the meantime."""
    with closing(sqlite3.connect(database)) as connection, connection:
        columns = connection.execute(
            "SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns"
            " WHERE tables.type = 'table' AND columns.type = 'DATETIME'"
        ).fetchall()
        for table, column in columns:
            moved = f"""strftime('%Y-%m-%d %H:%M:%f000', "{column}", '{seconds:+.3f} seconds')"""
            connection.execute(f'UPDATE "{table}" SET "{column}" = {moved} WHERE "{column}" IS NOT NULL')


def lost(before: Any, after: Any, place: str = "") -> list[str]:
    """What an answer no longer says as it did; it may say more. Moments need not be the same."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [line for name in before for line in lost(before[name], after.get(name, "nothing"), f"{place}.{name}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            line
            for number, pair in enumerate(zip(before, after, strict=True))
            for line in lost(*pair, f"{place}[{number}]")
        ]
    if before == after or (isinstance(before, str) and isinstance(after, str) and _is_moment(before, after)):
        return []
    return [f"{place}: {before!r} is {after!r} now"]


def _is_moment(*texts: str) -> bool:
    return all(_MOMENT.fullmatch(text) for text in texts)


if __name__ == "__main__":
    pack(*(Path(each) for each in sys.argv[1:]))
