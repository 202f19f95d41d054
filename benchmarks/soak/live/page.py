"""Somebody who records in a page: it tries again whatever fails in passing, as the product's own does."""

from __future__ import annotations

import time
import uuid
import wave
from io import BytesIO
from typing import Any

from api.testing.processes.patient_client import PatientClient
from benchmarks.soak.live.faults import Fault, Plan
from benchmarks.soak.live.talk import Sentence
from cluster.testing.patience import PATIENCE_S
from pipelines.media.sound.journal import PIECE_BYTES

PACE = 2.0
"""So many times faster than speech: more utterances meet a fault."""


class Lost(Exception):
    """Something that was acknowledged is not there."""


class Person(PatientClient):
    """An account, and what its pages and programs see."""

    def key(self) -> str:
        wanted = {"name": "Robot", "scopes": ["transcribe"], "requests_minute": 1_000}
        return str(self.call("POST", "/api/keys", json=wanted)["data"]["secret"])

    def kept(self, slug: str) -> dict[str, Any]:
        """What there is of a recording once it is a file."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found: dict[str, Any] = self.call("GET", f"/api/live/{slug}")["data"]
            if found["live"]["is_kept"]:
                return found
            if time.monotonic() > deadline or found["live"]["error"]:
                raise Lost(f"{slug} is not kept: {found['live']}")
            time.sleep(0.5)

    def text(self, slug: str) -> str:
        lines = self.call("GET", f"/api/files/captions/{slug}")["data"]["lines"]
        text: str = " ".join(line["text"] for line in lines)
        return " ".join(text.split())

    def sound(self, slug: str) -> bytes:
        url = self.call("GET", f"/api/files/{slug}")["data"]["media_url"]
        with wave.open(BytesIO(self.call("GET", url)), "rb") as kept:
            return kept.readframes(kept.getnframes())


class Page:
    """One recording of a page, and of whatever other tab takes over from it."""

    def __init__(self, person: Person, plan: Plan) -> None:
        self._person = person
        self._plan = plan
        self._source = str(uuid.uuid4())
        self._sent: list[bytes] = []
        self._words: list[str] = []
        begun = person.call("POST", "/api/live", json={"language": "en-US", "source": self._source})
        self.slug = str(begun["data"]["slug"])

    def hold(self, meeting: list[Sentence]) -> None:
        """Say all of it and stop; who stops at once takes the rest out of `meeting`. Raises `Lost`."""
        for number, sentence in enumerate(list(meeting), 1):
            fault = self._plan.next_of_sender()
            pcm = sentence.without_pause if fault is Fault.STOP_AT_ONCE else sentence.pcm
            middle = len(pcm) // 2 // PIECE_BYTES * PIECE_BYTES
            self._say(pcm[:middle])
            self._suffer(fault)
            self._say(pcm[middle:])
            self._read()
            if fault is not None:
                self._plan.note(fault)
            if fault is Fault.STOP_AT_ONCE:
                del meeting[number:]
                break
        self._person.call("POST", f"/api/live/{self.slug}/end")

    def check(self, meeting: list[Sentence]) -> None:
        """Compare what is kept with what was said and read. Raises `Lost`."""
        found = self._person.kept(self.slug)
        _require_prefix(self._words, [word["text"] for word in found["words"]])
        said, kept = " ".join(each.text for each in meeting), self._person.text(self.slug)
        if kept != said:
            raise Lost(f"{self.slug}: said {said!r}, kept {kept!r}")
        if self._person.sound(self.slug) != b"".join(self._sent):
            raise Lost(f"{self.slug}: its sound is not what was acknowledged")

    def _suffer(self, fault: Fault | None) -> None:
        if fault is Fault.SILENT_3:
            time.sleep(3)
        elif fault is Fault.SILENT_40:
            time.sleep(40)
        elif fault is Fault.SOCKET_CUT:
            # As when a page is reloaded: it asks which piece is next, and sends that.
            self._person.connect_again()
            self._require_next()
        elif fault is Fault.TAB_CLOSED:
            self._source = str(uuid.uuid4())
            self._person.call("POST", f"/api/live/{self.slug}/source", json={"source": self._source})
            self._require_next()

    def _require_next(self) -> None:
        following = self._person.call("GET", f"/api/live/{self.slug}")["data"]["live"]["next_piece"]
        if following != len(self._sent):
            raise Lost(f"{self.slug}: {len(self._sent)} pieces were acknowledged, {following} are kept")

    def _say(self, pcm: bytes) -> None:
        for at in range(0, len(pcm), PIECE_BYTES):
            piece = pcm[at : at + PIECE_BYTES].ljust(PIECE_BYTES, b"\0")
            began = time.monotonic()
            url = f"/api/live/{self.slug}/sound/{len(self._sent)}?source={self._source}"
            self._person.call("PUT", url, content=piece)
            self._sent.append(piece)
            time.sleep(max(0.0, 0.5 / PACE - (time.monotonic() - began)))

    def _read(self) -> None:
        found = self._person.call("GET", f"/api/live/{self.slug}")["data"]
        words = [word["text"] for word in found["words"]]
        _require_prefix(self._words, words)
        self._words = words


def _require_prefix(before: list[str], now: list[str]) -> None:
    if now[: len(before)] != before:
        raise Lost(f"final words have changed: {before} became {now}")
