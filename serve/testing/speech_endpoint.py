"""A speech endpoint in OpenAI's form on loopback, which answers as a function says and breaks as `faults` say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from typing import Any

from serve.testing.stand_in_server import Answers, Faults, serving

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
class SpeechFaults(Faults):
    refuses_words: bool = False
    refuses_verbose: bool = False
    cuts_off: int = 0
    """So many answers end in the middle."""
    holds: bool = False
    """Every answer waits for `released`."""


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
    with serving(_Answers, lambda url: StandInSpeech(url, reply, key, list(models))) as endpoint:
        yield endpoint


class _Answers(Answers):
    @property
    def endpoint(self) -> StandInSpeech:
        found: StandInSpeech = self.server.endpoint  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        self.models(self.endpoint.models)

    def do_POST(self) -> None:
        call, endpoint = self._call(), self.endpoint
        with endpoint.lock:
            endpoint.calls.append(call)
        with self.counted(endpoint):
            endpoint.arrived.release()
            if endpoint.faults.holds:
                endpoint.faults.released.wait()
            if not self.is_refused(endpoint, "/v1/audio/transcriptions"):
                self._answer(call, endpoint.faults)

    def _answer(self, call: SpeechCall, faults: SpeechFaults) -> None:
        if call.one("model") not in self.endpoint.models:
            return self.error(404, f"The model {call.one('model')} does not exist.")
        if faults.refuses_words and call.wants_words:
            return self.error(400, "timestamp_granularities is not supported.")
        if faults.refuses_verbose and call.one("response_format") == "verbose_json":
            return self.error(422, "verbose_json is not supported.")
        answer = self.endpoint.reply(call)
        cut = faults.cuts_off > 0
        faults.cuts_off -= cut
        return self.raw(200, answer if isinstance(answer, bytes) else json.dumps(answer).encode(), cut=cut)

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
        return SpeechCall(fields, wav, self.key)


def _parts(message: Message) -> list[Message]:
    parts = message.get_payload()
    assert isinstance(parts, list)
    return [part for part in parts if isinstance(part, Message)]
