"""What stands in for endpoints in OpenAI's form share: a server on loopback, and how it answers and breaks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar


@dataclass
class Faults:
    """`status` is the answer of the next `failures` requests, with `retry_after` where it is set."""

    status: int | None = None
    failures: int = 10**6
    retry_after: str | None = None
    message: str = "Broken on purpose."
    released: threading.Event = field(default_factory=threading.Event)
    """Set at the end, so that no held answer outlives the server."""


class StandIn(Protocol):
    """A running endpoint; `key` is the only one that it takes, where there is one."""

    key: str | None
    running: int
    most_at_once: int
    lock: threading.Lock

    @property
    def faults(self) -> Faults: ...


Endpoint = TypeVar("Endpoint", bound=StandIn)


@contextmanager
def serving(
    handler: type[BaseHTTPRequestHandler], make: Callable[[str], Endpoint], port: int = 0
) -> Iterator[Endpoint]:
    """Serve until the block ends. `make` gets the address, which ends in `/v1`."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    endpoint = make(f"http://127.0.0.1:{server.server_address[1]}/v1")
    server.endpoint = endpoint  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield endpoint
    finally:
        endpoint.faults.released.set()
        server.shutdown()
        server.server_close()


class Answers(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"

    @property
    def key(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ")

    @contextmanager
    def counted(self, endpoint: StandIn) -> Iterator[None]:
        """The block is one of the requests that run."""
        with endpoint.lock:
            endpoint.running += 1
            endpoint.most_at_once = max(endpoint.most_at_once, endpoint.running)
        try:
            yield
        finally:
            with endpoint.lock:
                endpoint.running -= 1

    def is_refused(self, endpoint: StandIn, path: str) -> bool:
        """Whether an error was sent: for another path or key than the endpoint's, or because it is broken."""
        faults = endpoint.faults
        if self.path != path:
            self.error(404, "There is nothing here.")
        elif endpoint.key is not None and self.key != endpoint.key:
            self.error(401, f"Incorrect API key provided: {self.key}.")
        elif faults.status is not None and faults.failures > 0:
            faults.failures -= 1
            self.error(faults.status, faults.message, faults.retry_after)
        else:
            return False
        return True

    def models(self, names: list[str]) -> None:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in names]
        self.send(200, {"object": "list", "data": data})

    def error(self, status: int, message: str, retry_after: str | None = None) -> None:
        error = {"message": message, "type": "error", "param": None, "code": None}
        self.raw(status, json.dumps({"error": error}).encode(), retry_after=retry_after)

    def send(self, status: int, content: Any) -> None:
        self.raw(status, json.dumps(content).encode())

    def raw(
        self,
        status: int,
        content: bytes,
        kind: str = "application/json",
        *,
        retry_after: str | None = None,
        cut: bool = False,
    ) -> None:
        """`cut`: the connection ends in the middle of the content."""
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            if retry_after is not None:
                self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if cut else content)
            self.close_connection = self.close_connection or cut
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing on the terminal."""
