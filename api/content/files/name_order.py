"""Names of files in the order of an index that also finds how they begin, whatever the case of their letters."""

from __future__ import annotations

from typing import Any

from sqlalchemy import String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class name_order(FunctionElement[str]):
    """`lower(name)`, compared by code point on both databases. SQLite's `lower` changes ASCII letters only."""

    type = String()
    inherit_cache = True


@compiles(name_order, "postgresql")
def _postgresql(element: name_order, compiler: SQLCompiler, **options: Any) -> str:
    # The database's own collation skips punctuation, so that nothing sorts behind every beginning.
    return f'(lower({compiler.process(element.clauses, **options)}) COLLATE "C")'


@compiles(name_order, "sqlite")
def _sqlite(element: name_order, compiler: SQLCompiler, **options: Any) -> str:
    return f"lower({compiler.process(element.clauses, **options)})"
