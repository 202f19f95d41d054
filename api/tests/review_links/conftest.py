from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI

from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file


@dataclass
class SentLink:
    """A link as somebody gets it in a mail."""

    url: str
    id: str

    @property
    def path(self) -> str:
        return f"/api/review/{self.id}"

    @property
    def secret(self) -> str:
        return urlsplit(self.url).fragment

    async def enter(self, browser: Browser, name: str = "Rita", **more: Any) -> httpx2.Response:
        return await browser.post(f"{self.path}/enter", json={"secret": self.secret, "name": name, **more})


MakeLink = Callable[..., Awaitable[SentLink]]


@pytest.fixture
async def film(state: AppState, ada: Browser) -> File:
    return await captioned_file(state, ada.user_id)


@pytest.fixture
def make_link(ada: Browser, film: File) -> MakeLink:
    """Makes a link to Ada's film."""

    async def make(rights: str = "edit", *, by: Browser = ada, **more: Any) -> SentLink:
        answer = await by.post(f"/api/files/{film.slug}/review-links", json={"rights": rights, **more})
        assert answer.status_code == 201, answer.text
        newest = answer.json()["data"][0]
        return SentLink(newest["url"], newest["id"])

    return make


@pytest.fixture
async def rita(app: FastAPI) -> Any:
    """A browser of somebody without an account."""
    async with Browser.open(app, address="192.0.2.7") as browser:
        yield browser
