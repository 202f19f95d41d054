"""The statements that a database gets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from api.http.state import AppState


@contextmanager
def counted_statements(state: AppState) -> Iterator[list[str]]:
    """Every statement of the installation's database until the block ends."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(state.database.engine.sync_engine, "before_cursor_execute", note)
    yield statements
    event.remove(state.database.engine.sync_engine, "before_cursor_execute", note)
