"""Terminal lines about the download of a speech model, kept apart from the first captions."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from api.cli.console import out, printable
from serve.capability import FETCH_EVENT


class FetchLines:
    """Holds lines back until `release`, then shows the first one, the newest one and every later one."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._is_open = False

    def take(self, entry: dict[str, Any]) -> bool:
        """Take over a log entry about a download; return whether it was one."""
        if entry.get("event") != FETCH_EVENT:
            return False
        self._held = [*self._held[:1], str(entry.get("sentence", ""))]
        if self._is_open:
            self.release()
        return True

    def release(self) -> None:
        self._is_open = True
        for line in self._held:
            out.print(escape(printable(line)), soft_wrap=True)
        self._held = []
