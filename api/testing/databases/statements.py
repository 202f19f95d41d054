"""The statements that a database gets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy import event

from api.platform.http.state import AppState

_is_counted: ContextVar[bool] = ContextVar("is_counted", default=False)


@contextmanager
def counted_statements(state: AppState) -> Iterator[list[str]]:
    """Every statement that the installation's database gets for calls made in the block.

    What the app does by itself now and then does not count.
    """
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if _is_counted.get():
            statements.append(statement)

    event.listen(state.database.engine.sync_engine, "before_cursor_execute", note)
    token = _is_counted.set(True)
    yield statements
    _is_counted.reset(token)
    event.remove(state.database.engine.sync_engine, "before_cursor_execute", note)
