"""The clients' process: many websockets that count messages and check their order.

The driver controls it over a pipe; see `Crowd`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import re
import resource
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, cast

from api.platform.realtime.signing import sign_channel

NUMBER = re.compile(rb'n\\":(\d+),\\"t\\":(\d+\.\d+)')
"""Data of each event: its number on its channel, and when the server got it (monotonic seconds)."""

UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

RETRY_S = 1.0
"""Stock clients come back a second after a lost connection."""

AT_ONCE = 200


@dataclass
class Target:
    """`channels` is empty for a server without channels; then a connection listens once it is open."""

    port: int
    path: str
    key: str = ""
    secret: str = ""
    channels: list[str] = field(default_factory=list)


@dataclass
class Deliveries:
    delivered: int = 0
    out_of_order: int = 0
    delays_s: list[float] = field(default_factory=list)


class _Listener(asyncio.Protocol):
    """A minimal but real websocket client."""

    def __init__(self, crowd: _Crowd, channel: str) -> None:
        self._crowd = crowd
        self._channel = channel
        self._buffer = b""
        self._is_open = False
        self._last = -1
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(UPGRADE.format(path=self._crowd.target.path).encode())

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        at = 0
        if not self._is_open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            self._is_open = True
            at = end + 4
            if not self._channel:
                self._crowd.listening(self)
        now = time.monotonic()
        while len(buffer) - at >= 2:
            size, head = buffer[at + 1], 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, head = int.from_bytes(buffer[at + 2 : at + 4], "big"), 4
            if len(buffer) - at < head + size:
                break
            self._hear(buffer, at + head, at + head + size, now)
            at += head + size
        self._buffer = buffer[at:]

    def _hear(self, buffer: bytes, start: int, end: int, now: float) -> None:
        found = NUMBER.search(buffer, start, end)
        if found is None:
            self._answer(buffer[start:end])
            return
        deliveries = self._crowd.deliveries
        number = int(found[1])
        self._crowd.count()
        if number != self._last + 1 and self._last >= 0:
            deliveries.out_of_order += 1
        self._last = number
        if self._crowd.keeps_delays:
            deliveries.delays_s.append(now - float(found[2]))

    def _answer(self, payload: bytes) -> None:
        if b"pusher:connection_established" in payload:
            told = json.loads(json.loads(payload)["data"])
            target = self._crowd.target
            auth = sign_channel(target.key, target.secret, socket_id=told["socket_id"], channel=self._channel)
            self._send({"event": "pusher:subscribe", "data": {"channel": self._channel, "auth": auth}})
        elif b"subscription_succeeded" in payload:
            self._crowd.listening(self)

    def _send(self, message: dict[str, Any]) -> None:
        # Masked with zeros, as the protocol allows and nobody should do outside of a benchmark.
        payload = json.dumps(message).encode()
        self._transport.write(b"\x81\xfe" + len(payload).to_bytes(2, "big") + bytes(4) + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.lost(self, self._channel)

    def close(self) -> None:
        self._transport.abort()


class _Crowd:
    def __init__(self, target: Target, count: int) -> None:
        self.target = target
        self.deliveries = Deliveries()
        self.keeps_delays = False
        self._wanted = count
        self._here: set[_Listener] = set()
        self._all_here = asyncio.Event()
        self._all_gone = asyncio.Event()
        self._heard_enough = asyncio.Event()
        self._enough = math.inf
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closing = False
        for index in range(count):
            self._connect(target.channels[index % len(target.channels)] if target.channels else "", 0.0)

    def _connect(self, channel: str, wait_s: float) -> None:
        task = asyncio.create_task(self._open(channel, wait_s))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, channel: str, wait_s: float) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(wait_s)
        while not self.is_closing:
            async with self._gate:
                try:
                    await loop.create_connection(lambda: _Listener(self, channel), "127.0.0.1", self.target.port)
                    return
                except OSError:
                    pass
            await asyncio.sleep(RETRY_S)

    def count(self) -> None:
        self.deliveries.delivered += 1
        if self.deliveries.delivered >= self._enough:
            self._heard_enough.set()

    def listening(self, listener: _Listener) -> None:
        self._here.add(listener)
        self._all_gone.clear()
        if len(self._here) == self._wanted:
            self._all_here.set()

    def lost(self, listener: _Listener, channel: str) -> None:
        self._here.discard(listener)
        self._all_here.clear()
        if not self._here:
            self._all_gone.set()
        if not self.is_closing:
            self._connect(channel, RETRY_S)

    async def all_here(self, limit_s: float) -> float:
        """Seconds until everyone listens."""
        started = time.monotonic()
        await asyncio.wait_for(self._all_here.wait(), limit_s)
        return time.monotonic() - started

    async def all_gone(self, limit_s: float) -> None:
        await asyncio.wait_for(self._all_gone.wait(), limit_s)

    async def collect(self, count: int, limit_s: float) -> Deliveries:
        """Messages delivered since the last call; returns at `count` or after `limit_s`."""
        self._enough = count
        self._heard_enough.clear()
        if self.deliveries.delivered < count:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._heard_enough.wait(), limit_s)
        self._enough = math.inf
        deliveries, self.deliveries = self.deliveries, Deliveries()
        return deliveries

    def close(self) -> None:
        self.is_closing = True
        for listener in list(self._here):
            listener.close()


def listen(pipe: Connection) -> None:
    """Run the process: execute and answer each `(name, *arguments)` from the pipe until None."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard) if soft < hard else (soft, hard))
    asyncio.run(_obey(pipe))


async def _obey(pipe: Connection) -> None:
    named: dict[str, _Crowd] = {}
    while (order := await asyncio.to_thread(pipe.recv)) is not None:
        name, crowd, *arguments = order
        if name == "open":
            named[crowd] = _Crowd(*arguments)
            pipe.send(await named[crowd].all_here(60))
        elif name == "delays":
            named[crowd].keeps_delays = True
            pipe.send(None)
        elif name == "back":
            await named[crowd].all_gone(10)
            pipe.send(await named[crowd].all_here(*arguments))
        elif name == "collect":
            pipe.send(await named[crowd].collect(*arguments))
        elif name == "close":
            named.pop(crowd).close()
            pipe.send(None)
