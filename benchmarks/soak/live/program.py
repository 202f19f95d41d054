"""A program at `/v1/realtime` that connects again after a cut, from where its sound is kept."""

from __future__ import annotations

import base64
import json
import time
from threading import Thread
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from benchmarks.soak.live.faults import Fault, Plan
from benchmarks.soak.live.page import PACE, Lost, Person
from benchmarks.soak.live.talk import Sentence
from cluster.testing.patience import PATIENCE_S

RATE_MS = 16 * 2
"""Bytes of a millisecond at 16 kHz."""
_STEP_MS = 200


class Program:
    """One recording of a program."""

    def __init__(self, person: Person, url: str, key: str, plan: Plan) -> None:
        self.slug = ""
        self._id = ""
        self._person = person
        self._url = url.replace("http", "ws", 1) + "/v1/realtime"
        self._key = key
        self._plan = plan
        self._sound = b""
        """All that was said, at 16 kHz."""
        self._sent_ms = 0
        self._read_until_ms = 0
        self._items: list[str] = []
        self._socket: ClientConnection | None = None
        self._reading: Thread | None = None

    def hold(self, meeting: list[Sentence]) -> None:
        """Say all of it, wait for its items, and close. Raises `Lost`."""
        for number, sentence in enumerate(meeting, 1):
            fault = self._plan.next_of_sender()
            middle = len(sentence.pcm) // 2 // RATE_MS * RATE_MS
            self._say(sentence.pcm[:middle])
            self._suffer(fault)
            self._say(sentence.pcm[middle:])
            self._until(lambda number=number: len(self._items) >= number)
            if fault is not None:
                self._plan.note(fault)
        socket = self._connected()
        socket.close(1000)

    def check(self, meeting: list[Sentence]) -> None:
        """Raises `Lost`."""
        self._person.kept(self.slug)
        said = [sentence.text for sentence in meeting]
        if self._items != said:
            raise Lost(f"{self.slug}: said {said}, told {self._items}")
        if (kept := self._person.text(self.slug)) != " ".join(said):
            raise Lost(f"{self.slug}: said {said}, kept {kept!r}")

    def _suffer(self, fault: Fault | None) -> None:
        if fault in (Fault.SILENT_3, Fault.SILENT_40):
            time.sleep(3 if fault is Fault.SILENT_3 else 40)
        elif fault is not None and self._socket is not None:
            # Whatever else befalls a sender, to a program it is a cut.
            self._socket.socket.close()

    def _say(self, pcm: bytes) -> None:
        self._sound += pcm
        end_ms = len(self._sound) // RATE_MS
        while self._sent_ms < end_ms:
            step_ms = min(_STEP_MS, end_ms - self._sent_ms)
            piece = self._sound[self._sent_ms * RATE_MS : (self._sent_ms + step_ms) * RATE_MS]
            try:
                self._send("input_audio_buffer.append", audio=base64.b64encode(_at_24_khz(piece)).decode())
                self._sent_ms += step_ms
            except ConnectionClosed:
                self._socket = None
            time.sleep(step_ms / 1000 / PACE)

    def _send(self, kind: str, **fields: Any) -> None:
        self._connected().send(json.dumps({"type": kind, **fields}))

    def _connected(self) -> ClientConnection:
        """Connect, or again: then what was sent and not kept is sent once more."""
        deadline = time.monotonic() + PATIENCE_S
        while self._socket is None:
            resumed = f"?session={self._id}&after_ms={self._read_until_ms}" if self.slug else ""
            try:
                socket = connect(
                    self._url + resumed, additional_headers={"Authorization": f"Bearer {self._key}"}, close_timeout=5
                )
                created = json.loads(socket.recv(timeout=30))["session"]
                self._id, self._sent_ms = created["id"], created["kept_ms"]
                session = {"type": "transcription", "audio": {"input": {"transcription": {"language": "en"}}}}
                socket.send(json.dumps({"type": "session.update", "session": session}))
            except (OSError, InvalidHandshake, ConnectionClosed) as error:
                if time.monotonic() > deadline:
                    raise Lost(f"{self.slug}: no connection any more: {error}") from error
                time.sleep(0.5)
                continue
            self._socket = socket
            if self._reading is not None:
                self._reading.join(PATIENCE_S)
            self._reading = Thread(target=self._read, args=(socket,), daemon=True)
            self._reading.start()
        return self._socket

    def _read(self, socket: ClientConnection) -> None:
        ends: dict[str, int] = {}
        try:
            for message in socket:
                event = json.loads(message)
                if event["type"] == "session.updated":
                    self.slug = event["session"]["recording"] or self.slug
                elif event["type"] == "input_audio_buffer.speech_stopped":
                    ends[event["item_id"]] = event["audio_end_ms"]
                elif event["type"].endswith("transcription.completed"):
                    # Once for each: what a connection did not tell, the next one does.
                    self._items.append(event["transcript"])
                    self._read_until_ms = ends[event["item_id"]]
        except ConnectionClosed:
            return

    def _until(self, what: Any) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not what():
            if time.monotonic() > deadline:
                raise Lost(f"{self.slug}: only {self._items} came")
            self._say(b"")
            if self._socket is not None and self._socket.close_code is not None:
                self._socket = None
            if self._socket is None:
                self._connected()
            time.sleep(0.1)


def _at_24_khz(pcm: bytes) -> bytes:
    """Each pair of samples as three: straight lines between them serve a machine's voice."""
    samples = memoryview(pcm).cast("h")
    made: list[int] = []
    for at in range(0, len(samples) - 1, 2):
        one, other = samples[at], samples[at + 1]
        following = samples[at + 2] if at + 2 < len(samples) else other
        made += [one, (one + 2 * other) // 3, (2 * other + following) // 3]
    return b"".join(value.to_bytes(2, "little", signed=True) for value in made)
