"""Terminal lines about the models, kept apart from the first captions."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from api.edges.cli.console import out, printable
from serve.core.capability import FETCH_EVENT, TASK_EVENT


class ModelLines:
    """Holds lines back until `release`, then shows what still counts of them, and every later one.

    Of a download these are the first line and the newest one, of each task the newest one.
    """

    def __init__(self) -> None:
        self._held: list[str] = []
        self._tasks: dict[str, str] = {}
        self._is_open = False

    def take(self, entry: dict[str, Any]) -> bool:
        """Take over a log entry about a download or a task; return whether it was one."""
        sentence = str(entry.get("sentence", ""))
        if entry.get("event") == FETCH_EVENT:
            self._held = [*self._held[:1], sentence]
        elif entry.get("event") == TASK_EVENT:
            self._tasks[str(entry.get("task"))] = sentence
        else:
            return False
        if self._is_open:
            self.release()
        return True

    def release(self) -> None:
        self._is_open = True
        for line in (*self._held, *self._tasks.values()):
            out.print(escape(printable(line)), soft_wrap=True)
        self._held, self._tasks = [], {}
