"""A speech endpoint in OpenAI's form on loopback, which answers as a function says and breaks as `faults` say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "stand-in-speech"


@dataclass(frozen=True)
class SpeechCall:
    """A request. `fields` are its texts by name, `wav` the file."""

    fields: dict[str, list[str]]
    wav: bytes
    key: str

    def one(self, name: str) -> str | None:
        return self.fields.get(name, [None])[-1]

    @property
    def wants_words(self) -> bool:
        return "word" in self.fields.get("timestamp_granularities[]", [])


Reply = Callable[[SpeechCall], Any]
"""The answer: a value for JSON, or bytes as they are."""


@dataclass
class SpeechFaults:
    """`status` is the answer of the next `failures` requests, with `retry_after` where it is set."""

    status: int | None = None
    failures: int = 10**6
    retry_after: str | None = None
    message: str = "Broken on purpose."
    refuses_words: bool = False
    refuses_verbose: bool = False
    cuts_off: int = 0
    """So many answers end in the middle."""
    holds: bool = False
    """Every answer waits for `released`."""
    released: threading.Event = field(default_factory=threading.Event)


@dataclass
class StandInSpeech:
    """A running endpoint. `url` ends in `/v1`."""

    url: str
    reply: Reply
    key: str | None
    models: list[str]
    faults: SpeechFaults = field(default_factory=SpeechFaults)
    calls: list[SpeechCall] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released with each call that arrives."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def speech_endpoint(
    reply: Reply, *, key: str | None = None, models: tuple[str, ...] = (MODEL,)
) -> Iterator[StandInSpeech]:
    """Serve until the block ends. With `key` other keys are rejected."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    endpoint = StandInSpeech(f"http://127.0.0.1:{server.server_address[1]}/v1", reply, key, list(models))
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
    def endpoint(self) -> StandInSpeech:
        found: StandInSpeech = self.server.endpoint  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self.endpoint.models]
        self._send(200, {"object": "list", "data": data})

    def do_POST(self) -> None:
        call = self._call()
        endpoint = self.endpoint
        with endpoint.lock:
            endpoint.calls.append(call)
            endpoint.running += 1
            endpoint.most_at_once = max(endpoint.most_at_once, endpoint.running)
        endpoint.arrived.release()
        try:
            if endpoint.faults.holds:
                endpoint.faults.released.wait()
            self._answer(call, endpoint.faults)
        finally:
            with endpoint.lock:
                endpoint.running -= 1

    def _answer(self, call: SpeechCall, faults: SpeechFaults) -> None:
        endpoint = self.endpoint
        if self.path != "/v1/audio/transcriptions":
            return self._error(404, "There is nothing here.")
        if endpoint.key is not None and call.key != endpoint.key:
            return self._error(401, f"Incorrect API key provided: {call.key}.")
        if faults.status is not None and faults.failures > 0:
            faults.failures -= 1
            return self._error(faults.status, faults.message)
        if call.one("model") not in endpoint.models:
            return self._error(404, f"The model {call.one('model')} does not exist.")
        if faults.refuses_words and call.wants_words:
            return self._error(400, "timestamp_granularities is not supported.")
        if faults.refuses_verbose and call.one("response_format") == "verbose_json":
            return self._error(422, "verbose_json is not supported.")
        answer = endpoint.reply(call)
        return self._raw(200, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def _call(self) -> SpeechCall:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        fields: dict[str, list[str]] = {}
        wav = b""
        for part in _parts(BytesParser().parsebytes(head + body)):
            name = str(part.get_param("name", header="content-disposition"))
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            if name == "file":
                wav = content
            else:
                fields.setdefault(name, []).append(content.decode())
        return SpeechCall(fields, wav, self.headers.get("Authorization", "").removeprefix("Bearer "))

    def _error(self, status: int, message: str) -> None:
        self._send(status, {"error": {"message": message, "type": "error", "param": None, "code": None}})

    def _send(self, status: int, content: Any) -> None:
        self._raw(status, json.dumps(content).encode())

    def _raw(self, status: int, content: bytes) -> None:
        faults = self.endpoint.faults
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if status != 200 and faults.retry_after is not None:
                self.send_header("Retry-After", faults.retry_after)
            self.end_headers()
            if status == 200 and self.command == "POST" and faults.cuts_off > 0:
                faults.cuts_off -= 1
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
                return
            self.wfile.write(content)
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing on the terminal."""


def _parts(message: Message) -> list[Message]:
    parts = message.get_payload()
    assert isinstance(parts, list)
    return [part for part in parts if isinstance(part, Message)]
