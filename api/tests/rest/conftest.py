from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from api.people.api_keys.scopes import Scope
from api.testing.browser import Browser

MakeProgram = Callable[..., Awaitable[httpx2.AsyncClient]]


@pytest.fixture
async def program_of(app: FastAPI) -> AsyncIterator[MakeProgram]:
    """Makes a client with an API key of somebody: `await program_of(ada, Scope.FILES_READ)`; by default all scopes."""
    opened: list[httpx2.AsyncClient] = []

    async def make(owner: Browser, *scopes: Scope, team_id: str | None = None, **more: Any) -> httpx2.AsyncClient:
        headers = {} if team_id is None else {"X-Active-Team": team_id}
        body = {"name": "Robot", "scopes": list(scopes or Scope), **more}
        made = await owner.post("/api/keys", json=body, headers=headers)
        assert made.status_code == 201, made.text
        client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=app, raise_app_exceptions=False),
            base_url="http://localhost",
            headers={"Authorization": f"Bearer {made.json()['data']['secret']}"},
        )
        opened.append(client)
        return client

    yield make
    for client in opened:
        await client.aclose()
