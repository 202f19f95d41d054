"""The database's clock: the only one that leases and waits are measured with.

`now(30)` is an SQL expression for 30 seconds from now. It is the time of the statement, not of the transaction.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from api.db.base import AwareDateTime


class now(FunctionElement[Any]):
    """The database's time, `seconds` from now."""

    type = AwareDateTime()
    inherit_cache = False

    def __init__(self, seconds: float = 0) -> None:
        self.seconds = float(seconds)
        super().__init__()


@compiles(now, "postgresql")
def _postgresql(element: now, _compiler: SQLCompiler, **_options: Any) -> str:
    return f"(statement_timestamp() + make_interval(secs => {element.seconds!r}))"


@compiles(now, "sqlite")
def _sqlite(element: now, _compiler: SQLCompiler, **_options: Any) -> str:
    # SQLite knows milliseconds; the column's text form has six digits, and both must sort alike.
    return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', '{element.seconds:+.3f} seconds') || '000')"
