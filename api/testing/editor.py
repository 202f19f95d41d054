"""A captions page as the API sees it: its lines, its revision and its calls."""

from __future__ import annotations

from typing import Any

import httpx2

from api.testing.browser import Browser


class Editor:
    def __init__(self, browser: Browser, key: str, *, language: str | None = None) -> None:
        """`language` selects the track in each call of this page."""
        self.browser = browser
        self.chosen = {} if language is None else {"language": language}
        self.path = f"/api/files/captions/{key}"
        self.data: dict[str, Any] = {}

    async def look(self) -> Editor:
        answer = await self.browser.get(self.path, params=self.chosen)
        assert answer.status_code == 200, answer.text
        self.data = answer.json()["data"]
        return self

    @property
    def lines(self) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = self.data["lines"]
        return lines

    @property
    def texts(self) -> list[str]:
        return [line["text"] for line in self.lines]

    async def post(self, action: str, line: int | str | None = None, **more: Any) -> httpx2.Response:
        """Send a change as this page would; `line` is an index or an id."""
        named = self.lines[line]["id"] if isinstance(line, int) else line
        body = {"action": action, "line": named, "issued": self.data["revision"], **self.chosen, **more}
        return await self.browser.post(self.path, json=body)

    async def save(self, action: str, line: int | str | None = None, **more: Any) -> dict[str, Any]:
        """Send a change that must succeed, and show the server's answer."""
        answer = await self.post(action, line, **more)
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "Success"
        saved: dict[str, Any] = answer.json()["data"]
        gone = {*saved["removed"], *(each["id"] for each in saved["changed"])}
        lines = [each for each in self.lines if each["id"] not in gone] + saved["changed"]
        self.data["lines"] = sorted(lines, key=lambda each: each["start_ms"])
        self.data.update({key: saved[key] for key in ("revision", "can_undo", "can_redo")})
        return saved
