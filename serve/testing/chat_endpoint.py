"""An OpenAI-compatible endpoint on loopback: its addresses, fields and errors, answering with what a function returns.

`faults` break it while it runs.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "stand-in-chat"

Reply = Callable[[dict[str, Any]], str]
"""The answer's text for the JSON body of a request."""


@dataclass
class ChatFaults:
    """`status` is the answer of the next `failures` requests, with `retry_after` where it is set."""

    status: int | None = None
    failures: int = 10**6
    retry_after: str | None = None
    body: bytes | None = None
    """What every answer holds in place of JSON, with status 200."""
    slow_s: float = 0.0
    """Every answer takes this long, or until `released` is set."""
    refuses_schemas: bool = False
    released: threading.Event = field(default_factory=threading.Event)


@dataclass
class ChatEndpoint:
    """A running endpoint. `url` ends in `/v1`; `requests` are the bodies it received, `keys` the keys with them."""

    url: str
    reply: Reply
    key: str | None
    faults: ChatFaults = field(default_factory=ChatFaults)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    finish_reason: str = "stop"
    most_at_once: int = 0
    running: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def chat_endpoint(reply: Reply, *, key: str | None = None, port: int = 0) -> Iterator[ChatEndpoint]:
    """Serve until the block ends. With `key` other keys are rejected."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Answers)
    server.daemon_threads = True
    endpoint = ChatEndpoint(f"http://127.0.0.1:{server.server_address[1]}/v1", reply, key)
    server.endpoint = endpoint  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield endpoint
    finally:
        endpoint.faults.released.set()
        server.shutdown()
        server.server_close()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def endpoint(self) -> ChatEndpoint:
        found: ChatEndpoint = self.server.endpoint  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            return self._error(404, "There is nothing here.")
        model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "test"}
        return self._send(200, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint, faults = self.endpoint, self.endpoint.faults
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        with endpoint.lock:
            endpoint.requests.append(body)
            endpoint.keys.add(key)
            endpoint.running += 1
            endpoint.most_at_once = max(endpoint.most_at_once, endpoint.running)
        try:
            self._answer(body, key, faults)
        finally:
            with endpoint.lock:
                endpoint.running -= 1

    def _answer(self, body: dict[str, Any], key: str, faults: ChatFaults) -> None:
        endpoint = self.endpoint
        if faults.slow_s:
            faults.released.wait(faults.slow_s)
        if self.path != "/v1/chat/completions":
            return self._error(404, "There is nothing here.")
        if endpoint.key is not None and key != endpoint.key:
            return self._error(401, f"Incorrect API key provided: {key}.")
        if faults.status is not None and faults.failures > 0:
            faults.failures -= 1
            return self._error(faults.status, "Broken on purpose.")
        if body["model"] != MODEL:
            return self._error(404, f"The model {body['model']} does not exist.")
        if faults.refuses_schemas and "response_format" in body:
            return self._error(400, "response_format is not supported.")
        if faults.body is not None:
            return self._raw(200, faults.body, "text/html")
        text = endpoint.reply(body)
        words = text.split()
        message = {"role": "assistant", "content": text}
        return self._send(
            200,
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": MODEL,
                "choices": [{"index": 0, "message": message, "finish_reason": endpoint.finish_reason}],
                "usage": {"prompt_tokens": 1, "completion_tokens": len(words), "total_tokens": len(words) + 1},
            },
        )

    def _error(self, status: int, message: str) -> None:
        self._send(status, {"error": {"message": message, "type": "error", "param": None, "code": None}})

    def _send(self, status: int, content: dict[str, Any]) -> None:
        self._raw(status, json.dumps(content).encode(), "application/json")

    def _raw(self, status: int, content: bytes, kind: str) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            if status != 200 and self.endpoint.faults.retry_after is not None:
                self.send_header("Retry-After", self.endpoint.faults.retry_after)
            self.end_headers()
            self.wfile.write(content)
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing on the terminal."""
