from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.realtime.clients import web
from api.testing.realtime.program import key
from api.testing.speech import Worker, bearer, make_key

__all__ = ["key", "web"]


@pytest.fixture
def worker(state: AppState) -> Worker:
    return Worker(state)


@pytest.fixture
async def program(app: FastAPI, ada: Browser) -> AsyncIterator[Browser]:
    """A program with a key of Ada's."""
    async with Browser.open(app) as opened:
        opened.headers.update(bearer(await make_key(ada)))
        yield opened
