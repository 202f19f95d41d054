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
from typing import Any

from serve.testing.stand_in_server import Answers, Faults, serving

MODEL = "stand-in-chat"

Reply = Callable[[dict[str, Any]], str]
"""The answer's text for the JSON body of a request."""


@dataclass
class ChatFaults(Faults):
    body: bytes | None = None
    """What every answer holds in place of JSON, with status 200."""
    slow_s: float = 0.0
    """Every answer takes this long, or until `released` is set."""
    refuses_schemas: bool = False


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
    with serving(_Answers, lambda url: ChatEndpoint(url, reply, key), port) as endpoint:
        yield endpoint


class _Answers(Answers):
    @property
    def endpoint(self) -> ChatEndpoint:
        found: ChatEndpoint = self.server.endpoint  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            return self.error(404, "There is nothing here.")
        return self.models([MODEL])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint, faults = self.endpoint, self.endpoint.faults
        with endpoint.lock:
            endpoint.requests.append(body)
            endpoint.keys.add(self.key)
        with self.counted(endpoint):
            if faults.slow_s:
                faults.released.wait(faults.slow_s)
            if not self.is_refused(endpoint, "/v1/chat/completions"):
                self._answer(body, endpoint, faults)

    def _answer(self, body: dict[str, Any], endpoint: ChatEndpoint, faults: ChatFaults) -> None:
        if body["model"] != MODEL:
            return self.error(404, f"The model {body['model']} does not exist.")
        if faults.refuses_schemas and "response_format" in body:
            return self.error(400, "response_format is not supported.")
        if faults.body is not None:
            return self.raw(200, faults.body, "text/html")
        text = endpoint.reply(body)
        words = text.split()
        message = {"role": "assistant", "content": text}
        return self.send(
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
