"""A live recording on the whole product, whose processes are killed one after the other while somebody speaks."""

from __future__ import annotations

import os
import signal
import time
import uuid
import wave
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest

from api.testing.processes.patient_client import PatientClient
from api.testing.processes.product import Product, running_product
from api.testing.processes.victims import titles, victims
from cluster.testing.patience import PATIENCE_S
from pipelines.media.sound.journal import PIECE_BYTES
from pipelines.testing.voices import silence, spoken, write_wav

SENTENCES = (
    "the quick brown fox jumps over the lazy dog",
    "the meeting will begin at nine in the morning",
    "we will meet again in the evening",
    "please bring a list of questions for the teacher",
    "the weather is fine today",
)
HEARD = ("fox", "meeting", "evening", "teacher", "weather")
"""A word of each that the built-in engine hears."""


class Page(PatientClient):
    """Somebody who records."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "Ada")
        self.source = str(uuid.uuid4())
        self.sent: list[bytes] = []
        self.words: list[str] = []
        begun = self.call("POST", "/api/live", json={"language": "en-US", "source": self.source})
        self.slug: str = begun["data"]["slug"]

    def speak(self, pcm: bytes) -> None:
        for at in range(0, len(pcm), PIECE_BYTES):
            piece = pcm[at : at + PIECE_BYTES].ljust(PIECE_BYTES, b"\0")
            self.call("PUT", f"/api/live/{self.slug}/sound/{len(self.sent)}?source={self.source}", content=piece)
            self.sent.append(piece)

    def read(self) -> list[str]:
        """All final words. Those that were final before stand where they stood."""
        found = self.call("GET", f"/api/live/{self.slug}")["data"]
        words = [word["text"] for word in found["words"]]
        assert words[: len(self.words)] == self.words, "what was final has changed"
        self.words = words
        return words

    def lines(self) -> list[str]:
        found = self.call("GET", f"/api/files/captions/{self.slug}")["data"]["lines"]
        return [line["text"].replace("\n", " ") for line in found]

    def wait(self, what: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 2 * PATIENCE_S
        while not what():
            assert time.monotonic() < deadline, (self.words, self.lines())
            time.sleep(0.2)


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_product(tmp_path_factory.mktemp("product"), allow_hub="false") as running:
        yield running


def pcm_of(folder: Path, text: str) -> bytes:
    with wave.open(str(write_wav(folder / "said.wav", spoken(text, "slt", folder), silence(1.5))), "rb") as opened:
        samples: bytes = opened.readframes(opened.getnframes())
    return samples


def kill(product: Product, title: str) -> None:
    """Kill a process of the product, by the beginning of its title or a part of its command."""
    found = next(victims(product.process.pid, title), None)
    assert found is not None, titles(product.process.pid)
    os.kill(found, signal.SIGKILL)


@pytest.mark.long
def test_no_word_is_lost_whatever_is_killed(product: Product, tmp_path: Path) -> None:
    page = Page(product.url)
    victims = ["ray::ServeReplica:live", "ray::live", " dispatcher", "ray::ServeReplica:transcription", " api"]
    for number, (text, victim) in enumerate(zip(SENTENCES, victims, strict=True)):
        said = pcm_of(tmp_path, text)
        middle = len(said) // 4 * 2
        page.speak(said[:middle])
        if number == 0:
            # Only now does everything run that is killed below.
            page.wait(lambda: bool(page.read()))
        kill(product, victim)
        page.speak(said[middle:])
        heard = HEARD[number]
        page.wait(lambda heard=heard: heard in " ".join(page.lines()))
        page.read()
    page.call("POST", f"/api/live/{page.slug}/end")
    page.wait(lambda: page.call("GET", f"/api/live/{page.slug}")["data"]["live"]["is_kept"])
    page.read()
    text = " ".join(page.lines())
    assert [text.count(word) for word in HEARD] == [1] * len(HEARD), "each sentence is there, once"
    media = page.call("GET", f"/api/files/{page.slug}")["data"]["media_url"]
    with wave.open(BytesIO(page.client.get(media).content), "rb") as kept:
        assert kept.readframes(kept.getnframes()) == b"".join(page.sent), "every sample that was acknowledged"
