"""The servers under test, each in its own process, and how to publish events to them."""

from __future__ import annotations

import base64
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from api.platform.realtime.signing import AUTH_VERSION, body_md5, sign_call
from benchmarks.goals.relay.listeners import Target
from cluster.testing.processes import pin

START_S = 20.0
KEY = "benchmark-key"
APP_ID = "1"
PADDING = "x" * 120
"""Makes frames of about 290 bytes, like an event of the product with a file's name."""


def data(number: int) -> str:
    return f'{{"queue":"Transcribe","n":{number},"t":{time.monotonic():.6f},"slug":"{PADDING}"}}'


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@dataclass
class Server(ABC):
    """`core` is the core it runs on."""

    core: int
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        self.process = self._popen()
        pin(self.pid, {self.core})
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise TimeoutError(f"The server did not listen within {START_S:.0f} s.")

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None

    @abstractmethod
    def _popen(self) -> subprocess.Popen[bytes]: ...


@dataclass
class Ours(Server):
    """`sagascript relay`, as people run it."""

    folder: Path = Path()
    secret: str = field(default_factory=lambda: secrets.token_hex(16))
    _calls: http.client.HTTPConnection | None = None
    _called_at: float = 0.0

    def _popen(self) -> subprocess.Popen[bytes]:
        settings = {
            "SAGASCRIPT_DATA_DIR": str(self.folder),
            "SAGASCRIPT_REALTIME_KEY": KEY,
            "SAGASCRIPT_REALTIME_APP_ID": APP_ID,
            "SAGASCRIPT_REALTIME_SECRET": self.secret,
            "SAGASCRIPT_REALTIME_PER_ADDRESS": "0",
            "SAGASCRIPT_REALTIME_CALLS_PER_S": "0",
            "SAGASCRIPT_LOG_LEVEL": "warning",
        }
        command = [sys.executable, "-m", "api.main", "relay", "--port", str(self.port)]
        return subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)

    def target(self, channels: list[str]) -> Target:
        return Target(self.port, f"/app/{KEY}?protocol=7", KEY, self.secret, channels)

    def publish(self, events: list[tuple[str, str]]) -> None:
        """Publish pairs of (channel, data) in one call of the signed HTTP API."""
        items = [{"name": "polling.files", "channel": channel, "data": text} for channel, text in events]
        call, content = ("events", items[0]) if len(items) == 1 else ("batch_events", {"batch": items})
        body = json.dumps(content).encode()
        path = f"/apps/{APP_ID}/{call}"
        query = {
            "auth_key": KEY,
            "auth_timestamp": str(int(time.time())),
            "auth_version": AUTH_VERSION,
            "body_md5": body_md5(body),
        }
        query["auth_signature"] = sign_call(self.secret, method="POST", path=path, query=query)
        # The web server closes a connection after 5 s of silence.
        if time.monotonic() - self._called_at > 2.0:
            self._calls = None
        self._called_at = time.monotonic()
        if self._calls is None:
            self._calls = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            self._calls.connect()
            # Head and body are two writes; with delayed acknowledgements Nagle's algorithm costs 40 ms per call.
            self._calls.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._calls.request("POST", f"{path}?{'&'.join(f'{k}={v}' for k, v in query.items())}", body)
        answer = self._calls.getresponse()
        answer.read()
        if answer.status != 200:
            raise ConnectionError(f"The relay answered {answer.status}.")

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self._calls is not None:
            self._calls.close()
            self._calls = None
        super().stop(number)


@dataclass
class Minimal(Server):
    _socket: socket.socket | None = None

    def _popen(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "benchmarks.goals.relay.minimal", str(self.port)])

    def target(self) -> Target:
        return Target(self.port, "/")

    def publish(self, events: list[tuple[str, str]]) -> None:
        """Publish each event as a separate message, with the same bytes as ours."""
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self.port))
            key = base64.b64encode(secrets.token_bytes(16)).decode()
            self._socket.sendall(
                f"GET /publish HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            self._socket.recv(4096)
        frames = b""
        for channel, text in events:
            payload = json.dumps({"event": "polling.files", "channel": channel, "data": text}).encode()
            frames += b"\x81\xfe" + len(payload).to_bytes(2, "big") + bytes(4) + payload
        self._socket.sendall(frames)
