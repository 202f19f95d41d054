"""`sagascript relay` as its own process, against clients that do not read and clients that send anything."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect

from api.platform.realtime.publisher import ChannelEvent, Publisher
from api.platform.settings import ApiSettings
from api.testing.realtime.clients import Client
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

CHANNEL = "news"
SLOW = 20
EVENTS, EVENT_BYTES = 3_000, 9_000
"""27 MB for each slow client, and 540 MB for all of them."""

MAX_GROWTH = 60_000_000


class Process:
    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.settings = ApiSettings(data_dir=folder, port=port)
        self.log = folder / "relay.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "api.main", "relay", "--port", str(port)],
                env={**os.environ, "SAGASCRIPT_DATA_DIR": str(folder)},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                self.connect().close()
                return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError("The relay did not start.")

    @property
    def rss_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    @property
    def path(self) -> str:
        return f"/app/{self.settings.realtime_key}?protocol=7"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.settings.port), timeout=PATIENCE_S)

    def upgraded(self) -> socket.socket:
        opened = self.connect()
        opened.sendall(
            f"GET {self.path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 101 " in opened.recv(4096)
        return opened

    async def client(self, **options: Any) -> Client:
        """A client that is connected and listening."""
        client = Client(await connect(f"ws://127.0.0.1:{self.settings.port}{self.path}", proxy=None, **options))
        await client.hello()
        await client.send("pusher:subscribe", channel=CHANNEL)
        assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"
        return client


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    running = Process(tmp_path_factory.mktemp("relay"))
    yield running
    running.process.terminate()
    assert running.process.wait(PATIENCE_S) in (0, -signal.SIGTERM)
    faults = [line for line in running.log.read_text().splitlines() if "Traceback" in line]
    assert not faults, faults[0]


@pytest.mark.long
async def test_clients_that_never_read_cost_a_bounded_amount_of_memory(process: Process) -> None:
    good = await process.client()
    before = process.rss_bytes
    slow = [await process.client(max_queue=1, compression=None, close_timeout=0) for _ in range(SLOW)]
    most = 0
    async with Publisher(process.settings) as publisher:
        for start in range(0, EVENTS, 10):
            await publisher.publish(
                [ChannelEvent(CHANNEL, {"n": n, "text": "x" * EVENT_BYTES}) for n in range(start, start + 10)]
            )
            assert [(await good.receive())["data"]["n"] for _ in range(10)] == list(range(start, start + 10))
            most = max(most, process.rss_bytes)
    assert most - before < MAX_GROWTH
    assert process.log.read_text().count("relay.too_slow") == SLOW
    for client in [good, *slow]:
        client.connection.transport.abort()


def frame(opcode: int, payload: bytes, *, is_last: bool, reserved: int, is_masked: bool, claims: int) -> bytes:
    """A websocket frame that may be malformed: `claims` is added to its length."""
    size = max(0, len(payload) + claims)
    head = bytes([is_last << 7 | reserved << 4 | opcode])
    mask = is_masked << 7
    if size < 126:
        head += bytes([mask | size])
    elif size < 65536:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + (bytes(4) if is_masked else b"") + payload


@pytest.mark.parametrize(
    "flood",
    [
        frame(1, b"", is_last=False, reserved=0, is_masked=True, claims=0)
        + frame(0, b"", is_last=False, reserved=0, is_masked=True, claims=0) * 100_000,
        frame(10, b"", is_last=True, reserved=0, is_masked=True, claims=0) * 100_000,
    ],
    ids=["empty fragments", "pongs"],
)
async def test_a_flood_of_empty_frames_ends_its_connection_and_keeps_nobody_waiting(
    process: Process, flood: bytes
) -> None:
    good = await process.client()
    with process.upgraded() as opened:
        opened.settimeout(PATIENCE_S)
        sending = asyncio.create_task(asyncio.to_thread(_send_all, opened, flood))
        async with Publisher(process.settings) as publisher:
            await publisher.publish([ChannelEvent(CHANNEL, {"n": 1})])
        assert (await good.receive())["data"] == {"n": 1}
        seen = await asyncio.to_thread(_read_all, opened)
        await sending
    assert b'"code":4100' in seen
    good.connection.transport.abort()


def _send_all(connection: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(data)


def _read_all(connection: socket.socket) -> bytes:
    """The bytes until the other side closes. Raises `TimeoutError` if it does not close."""
    seen = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            seen += part
    return seen


NAMES = st.sampled_from(
    ["pusher:subscribe", "pusher:unsubscribe", "pusher:ping", "pusher:pong", "pusher:signin", "client-x", "\ud800"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "channel": JSON | st.sampled_from(["news", "private-x", "presence-x"]),
        "auth": JSON,
        "channel_data": JSON | st.sampled_from(['{"user_id":"\\ud800"}', '{"user_id":1}']),
        "user_data": JSON,
    },
)
MESSAGES = st.builds(
    lambda event, data, channel: json.dumps({"event": event, "data": data, "channel": channel}).encode(),
    NAMES | JSON,
    FIELDS | JSON,
    JSON,
)
RIGHT_FRAMES = st.builds(
    lambda payload: frame(1, payload, is_last=True, reserved=0, is_masked=True, claims=0), MESSAGES
)
ODD_FRAMES = st.builds(
    frame,
    st.integers(0, 15),
    st.binary(max_size=200) | MESSAGES,
    is_last=st.booleans(),
    reserved=st.sampled_from([0, 0, 0, 1, 4, 7]),
    is_masked=st.sampled_from([True, True, True, False]),
    claims=st.sampled_from([0, 0, 0, -1, 1, 70_000, 2**40]),
)


REFUSED = frame(1, b'{"event":"pusher:signin"}', is_last=True, reserved=0, is_masked=True, claims=0)
BROKEN = frame(1, b"", is_last=True, reserved=7, is_masked=True, claims=0)


@pytest.mark.long
@example([REFUSED, BROKEN])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RIGHT_FRAMES | ODD_FRAMES, min_size=5, max_size=60))
def test_the_relay_survives_any_frames(process: Process, frames: list[bytes]) -> None:
    with process.upgraded() as opened:
        opened.sendall(b"".join(frames))
        opened.shutdown(socket.SHUT_WR)
        # Answers, errors and a close, until the relay has read everything and released the client.
        while opened.recv(65536):
            pass
    assert process.process.poll() is None


async def test_the_relay_still_serves_afterwards(process: Process) -> None:
    client = await process.client()
    async with Publisher(process.settings) as publisher:
        await publisher.publish([ChannelEvent(CHANNEL, {"n": 1})])
    assert (await asyncio.wait_for(client.receive(), PATIENCE_S))["data"] == {"n": 1}
    await client.connection.close()
