"""The web process on a real port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from api.app import create_app
from api.db.migrate import upgrade
from api.http.state import AppState
from api.realtime.relay.process import DrainingServer, draining_server
from api.realtime.relay.server import Relay
from api.realtime.signing import sign_channel
from api.settings import ApiSettings
from api.tests.browser import Browser


@dataclass
class Web:
    settings: ApiSettings
    relay: Relay
    server: DrainingServer
    state: AppState

    @property
    def url(self) -> str:
        return self.settings.base_url

    def socket_url(self, *, key: str | None = None, query: str = "protocol=7&client=js&version=8.6.0") -> str:
        return f"ws://127.0.0.1:{self.settings.port}/app/{key or self.settings.realtime_key}?{query}"

    def browser(self) -> Browser:
        return Browser(base_url=self.url, trust_env=False)

    def auth(self, socket_id: str, channel: str) -> str:
        return sign_channel(
            self.settings.realtime_key, self.settings.relay_secret, socket_id=socket_id, channel=channel
        )


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Web]:
    listening = socket.create_server(("127.0.0.1", 0))
    settings = ApiSettings(
        data_dir=tmp_path / "data",
        port=listening.getsockname()[1],
        realtime_secret="a secret of the test",
        ui_dir=tmp_path / "ui",
    )
    await upgrade(settings.db_url)
    app = create_app(settings)
    server = draining_server(settings, app, app.state.relay)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield Web(settings, app.state.relay, server, app.state.shared)
    server.should_exit = True
    await serving


class Client:
    """A Pusher client without a library, for what a stock one never sends."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.socket_id = ""

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.connection.recv(), 10))
        if isinstance(message.get("data"), str) and message["data"].startswith("{"):
            message["data"] = json.loads(message["data"])
        return message

    async def send(self, event: str, **data: Any) -> None:
        await self.connection.send(json.dumps({"event": event, "data": data}))

    async def closed_with(self) -> int:
        await asyncio.wait_for(self.connection.wait_closed(), 15)
        assert self.connection.close_code is not None
        return self.connection.close_code

    async def hello(self) -> dict[str, Any]:
        message = await self.receive()
        self.socket_id = message["data"]["socket_id"]
        return message


@dataclass
class Clients:
    web: Web
    opened: list[Client]

    async def open(self, url: str | None = None, **options: Any) -> Client:
        """A connection that has not read anything yet."""
        client = Client(await connect(url or self.web.socket_url(), proxy=None, close_timeout=1, **options))
        self.opened.append(client)
        return client

    async def greeted(self, **options: Any) -> Client:
        client = await self.open(**options)
        await client.hello()
        return client

    async def listening(self, channel: str, **options: Any) -> Client:
        client = await self.greeted(**options)
        await client.send("pusher:subscribe", channel=channel, auth=self.web.auth(client.socket_id, channel))
        assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"
        return client


@pytest.fixture
async def clients(web: Web) -> AsyncIterator[Clients]:
    made = Clients(web, [])
    yield made
    for client in made.opened:
        await client.connection.close()
