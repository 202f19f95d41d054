from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from api.people.provisioning.resources import PATH
from api.people.provisioning.tokens import make_token
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings

CORE = "urn:ietf:params:scim:schemas:core:2.0"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


@pytest.fixture
def entry() -> dict[str, Any]:
    """What a test changes in the provider's entry in the settings."""
    return {"domains": ["example.com"]}


@pytest.fixture
def settings(database_url: str, tmp_path: Path, entry: dict[str, Any]) -> ApiSettings:
    provider = {"slug": "work", "name": "Example Ltd", "issuer": "https://id.example.com", "client_id": "us"}
    return ApiSettings(
        data_dir=tmp_path / "data",
        database_url=database_url,
        ui_dir=tmp_path / "ui",
        identity_providers=[provider | entry],
    )


class Directory:
    """The calls of an identity provider."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client

    async def call(self, method: str, path: str, body: Any = None, *, status: int = 200) -> dict[str, Any]:
        answer = await self.client.request(method, f"{PATH}/{path}", json=body)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json() if answer.content else {}
        return found

    async def add(self, user_name: str, *, status: int = 201, **more: Any) -> dict[str, Any]:
        body = {"schemas": [f"{CORE}:User"], "userName": user_name, "active": True, **more}
        return await self.call("POST", "Users", body, status=status)

    async def patch(self, path: str, *operations: dict[str, Any], status: int = 200) -> dict[str, Any]:
        return await self.call("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)}, status=status)

    async def group(self, name: str, *members: str) -> dict[str, Any]:
        body = {"schemas": [f"{CORE}:Group"], "displayName": name, "members": [{"value": each} for each in members]}
        return await self.call("POST", "Groups", body, status=201)


@pytest.fixture
async def directory(app: FastAPI, state: AppState) -> AsyncIterator[Directory]:
    async with state.database.write() as session:
        token = await make_token(session, "work")
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        yield Directory(client)


class FromThread(httpx2.BaseTransport):
    """Lets code without `await` call an app that runs in this event loop."""

    def __init__(self, app: FastAPI) -> None:
        self._transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        self._loop = asyncio.get_running_loop()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        async def call() -> httpx2.Response:
            sent = httpx2.Request(request.method, request.url, headers=request.headers, content=request.read())
            answer = await self._transport.handle_async_request(sent)
            return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()
