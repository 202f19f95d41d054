"""Times as numbers in SQL, for sums and for counting by hour or day, alike on both databases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class epoch_s(FunctionElement[int]):
    """Whole seconds since 1970, UTC."""

    type = BigInteger()
    inherit_cache = True


@compiles(epoch_s, "postgresql")
def _postgresql(element: epoch_s, compiler: SQLCompiler, **options: Any) -> str:
    return f"floor(extract(epoch FROM {compiler.process(element.clauses, **options)}))::bigint"


@compiles(epoch_s, "sqlite")
def _sqlite(element: epoch_s, compiler: SQLCompiler, **options: Any) -> str:
    return f"unixepoch({compiler.process(element.clauses, **options)})"
