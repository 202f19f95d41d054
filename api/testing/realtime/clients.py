"""The web process and the relay on real ports in the test's event loop, and their clients."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from api.app import create_app
from api.platform.http.state import AppState
from api.platform.realtime.relay.app import RelayWebsockets, create_relay
from api.platform.realtime.relay.server import Relay
from api.platform.realtime.signing import sign_channel
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.databases.migrated import make_sqlite
from cluster.testing.patience import PATIENCE_S


@dataclass
class ServedRelay:
    """A server with the relay in it."""

    settings: ApiSettings
    relay: Relay
    server: WebServer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.settings.port}"

    def socket_url(self, *, key: str | None = None, query: str = "protocol=7&client=js&version=8.6.0") -> str:
        return f"ws://127.0.0.1:{self.settings.port}/app/{key or self.settings.realtime_key}?{query}"

    def auth(self, socket_id: str, channel: str, channel_data: str | None = None) -> str:
        return sign_channel(
            self.settings.realtime_key,
            self.settings.relay_secret,
            socket_id=socket_id,
            channel=channel,
            channel_data=channel_data,
        )


@dataclass
class Web(ServedRelay):
    state: AppState

    def browser(self) -> Browser:
        return Browser(base_url=self.url, trust_env=False)


@asynccontextmanager
async def serving(server: WebServer, listening: socket.socket) -> AsyncIterator[None]:
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield
    server.should_exit = True
    await task


@asynccontextmanager
async def running_relay(folder: Path, **more: Any) -> AsyncIterator[ServedRelay]:
    """Run `sagascript relay` in the test's event loop. Relays that share a folder share a secret."""
    listening = socket.create_server(("127.0.0.1", 0))
    settings = ApiSettings(data_dir=folder, port=listening.getsockname()[1], **more)
    app = create_relay(settings)
    server = WebServer(app, settings, websockets=RelayWebsockets(app.state.relay))
    async with serving(server, listening):
        yield ServedRelay(settings, app.state.relay, server)


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Web]:
    listening = socket.create_server(("127.0.0.1", 0))
    settings = ApiSettings(
        data_dir=tmp_path / "data",
        port=listening.getsockname()[1],
        realtime_secret="a secret of the test",
        ui_dir=tmp_path / "ui",
    )
    make_sqlite(settings.db_url)
    app = create_app(settings)
    server = WebServer(app, settings, websockets=RelayWebsockets(app.state.relay))
    async with serving(server, listening):
        yield Web(settings, app.state.relay, server, app.state.shared)


class Client:
    """A Pusher client without a library, for messages that a stock one never sends."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.socket_id = ""

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.connection.recv(), PATIENCE_S))
        if isinstance(message.get("data"), str) and message["data"].startswith("{"):
            message["data"] = json.loads(message["data"])
        return message

    async def send(self, event: str, **data: Any) -> None:
        await self.connection.send(json.dumps({"event": event, "data": data}))

    async def silent(self) -> bool:
        """Whether no message arrived before the answer to a ping."""
        await self.send("pusher:ping")
        message = await self.receive()
        return bool(message["event"] == "pusher:pong")

    async def closed_with(self) -> int:
        await asyncio.wait_for(self.connection.wait_closed(), PATIENCE_S)
        assert self.connection.close_code is not None
        return self.connection.close_code

    async def hello(self) -> dict[str, Any]:
        message = await self.receive()
        self.socket_id = message["data"]["socket_id"]
        return message


@dataclass
class Clients:
    """Clients of one server; `at` gives those of another."""

    web: ServedRelay
    opened: list[Client]

    def at(self, other: ServedRelay) -> Clients:
        return Clients(other, self.opened)

    async def open(self, url: str | None = None, **options: Any) -> Client:
        """Open a connection that has not read anything yet."""
        client = Client(await connect(url or self.web.socket_url(), proxy=None, close_timeout=1, **options))
        self.opened.append(client)
        return client

    async def greeted(self, **options: Any) -> Client:
        client = await self.open(**options)
        await client.hello()
        return client

    async def member(self, channel: str, user: object, **options: Any) -> tuple[Client, dict[str, Any]]:
        """Join a presence channel; return the connection and the list of members that it got."""
        client = await self.greeted(**options)
        data = json.dumps({"user_id": user, "user_info": {"name": f"User {user}"}})
        auth = self.web.auth(client.socket_id, channel, data)
        await client.send("pusher:subscribe", channel=channel, auth=auth, channel_data=data)
        told = await client.receive()
        assert told["event"] == "pusher_internal:subscription_succeeded", told
        return client, told["data"]["presence"]

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
