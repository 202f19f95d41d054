from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import httpx2
import pytest

from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.mailbox import Mailbox
from api.testing.realtime.clients import clients, web

__all__ = ["clients", "web"]


@pytest.fixture
def mailbox(state: AppState) -> Mailbox:
    return Mailbox(state)


@dataclass(frozen=True)
class Link:
    """The parts of a link as its page takes them from the address."""

    first: str
    rest: str

    @classmethod
    def of(cls, url: str, folder: str) -> Link:
        first, _, rest = urlsplit(url).path.removeprefix(folder).partition("/")
        return cls(unquote(first), unquote(rest))


async def open_verification(browser: Browser, url: str) -> httpx2.Response:
    link = Link.of(url, "/email/verification/")
    return await browser.post("/api/email/verify", json={"id": link.first, "hash": link.rest})


async def open_reset(browser: Browser, url: str, password: str) -> httpx2.Response:
    link = Link.of(url, "/reset/")
    body = {"token": link.first, "email": link.rest, "password": password, "password_confirmation": password}
    return await browser.post("/reset-password", json=body)
