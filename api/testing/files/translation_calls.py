"""The translation calls of one file, and the events that they send."""

from __future__ import annotations

from typing import Any

import httpx2
from sqlalchemy import select

from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.testing.browser import Browser


class TranslationCalls:
    """The translation calls of one file, as a page makes them."""

    def __init__(self, browser: Browser, slug: str) -> None:
        self.browser = browser
        self.path = f"/api/files/captions/{slug}"

    async def listed(self) -> dict[str, dict[str, Any]]:
        answer = await self.browser.get(f"{self.path}/translations")
        assert answer.status_code == 200, answer.text
        return {each["language"]: each for each in answer.json()["data"]}

    async def translate(self, **body: Any) -> httpx2.Response:
        return await self.browser.post(f"{self.path}/translate", json=body)

    async def refresh(self, language: str = "es", **body: Any) -> httpx2.Response:
        return await self.browser.post(f"{self.path}/translations/{language}/refresh", json=body)

    async def cancel(self, language: str = "es") -> httpx2.Response:
        return await self.browser.post(f"{self.path}/translations/{language}/cancel")

    async def delete(self, **query: str) -> httpx2.Response:
        return await self.browser.delete(f"{self.path}/translations", params=query)

    async def restore(self) -> httpx2.Response:
        return await self.browser.post(f"{self.path}/translations/restore")


async def events(state: AppState, child: str = "lang_es") -> list[str]:
    """The actions of events about a translation, in order."""
    async with state.database.read() as session:
        payloads = await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))
        data = [payload["data"] for payload in payloads if "data" in payload]
    return [each["action"] for each in data if each["queue"] == "Translate" and each["child"] == child]
