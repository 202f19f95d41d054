"""The database's clock, by which all leases, waits, sessions and tokens are timed.

Machines of one installation may disagree about the time by hours.

`now(30)` is an SQL expression for 30 seconds from now. It is the start of the statement, not of the transaction.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Float, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from api.platform.db.base import AwareDateTime


class _Now(FunctionElement[datetime]):
    type = AwareDateTime()
    inherit_cache = True


def now(seconds: float = 0) -> ColumnElement[datetime]:
    """The database's time, `seconds` from now.

    The seconds are a bound parameter, so that a statement with a clock is compiled only once.
    """
    return _Now(*([literal(float(seconds), Float())] if seconds else []))


@compiles(_Now, "postgresql")
def _postgresql(element: _Now, compiler: SQLCompiler, **options: Any) -> str:
    if not len(element.clauses):
        return "statement_timestamp()"
    seconds = compiler.process(element.clauses, **options)
    return f"(statement_timestamp() + make_interval(secs => {seconds}))"


@compiles(_Now, "sqlite")
def _sqlite(element: _Now, compiler: SQLCompiler, **options: Any) -> str:
    # SQLite has milliseconds, but the column's text has six digits, and both must sort alike.
    if not len(element.clauses):
        return "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')"
    seconds = compiler.process(element.clauses, **options)
    return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', printf('%+.3f seconds', {seconds})) || '000')"
