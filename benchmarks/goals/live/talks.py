"""What is said in a live recording, and when: sentences by flite with the true time of every word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipelines.media.sample import SAMPLE_TEXT
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_speller.spoken import SpokenWord, speak
from serve.testing.tiny_streamer.sentences import random_sentence

PAUSE_MS = 900
FIRST_SEED = 3_000_000
"""Beyond those of training."""


@dataclass(frozen=True, slots=True)
class Talk:
    """`pcm` is 16-bit at 16 kHz. `sentences` hold their words on the clock of the recording."""

    pcm: bytes
    sentences: tuple[tuple[SpokenWord, ...], ...]

    @property
    def words(self) -> list[SpokenWord]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / SAMPLE_RATE

    def sentence_at(self, at_ms: int) -> int:
        """The sentence that is spoken then, or the nearest one."""
        distances = [max(said[0].start_ms - at_ms, at_ms - said[-1].end_ms, 0) for said in self.sentences]
        return distances.index(min(distances))


def sample_sentences(rounds: int) -> Iterator[list[str]]:
    """The text of the sample file, again and again."""
    for _ in range(rounds):
        for sentence in re.split(r"(?<=[.?!])\s+", " ".join(SAMPLE_TEXT)):
            yield re.findall(r"[a-z']+", sentence.lower())


def known_sentences(seed: int) -> Iterator[list[str]]:
    """Sentences without end, of the words that the tiny models know."""
    dice = np.random.default_rng(FIRST_SEED + seed)
    while True:
        yield random_sentence(dice, least=4, most=12)


def talk(sentences: Iterable[Sequence[str]], voice: str, work: Path, *, most_s: float) -> Talk:
    """Speak sentences with pauses after them, until there is so much sound. One whose times are unknown is left out."""
    parts: list[bytes] = []
    said: list[tuple[SpokenWord, ...]] = []
    length = 0
    for sentence in sentences:
        spoken = speak(sentence, work, voice=voice)
        if spoken.words is None:
            continue
        begun_ms = length * 1000 // SAMPLE_RATE
        said.append(tuple(replace(w, start_ms=w.start_ms + begun_ms, end_ms=w.end_ms + begun_ms) for w in spoken.words))
        pause = np.zeros(PAUSE_MS * SAMPLE_RATE // 1000, np.int16)
        samples = np.concatenate([(spoken.samples * 32767).astype(np.int16), pause])
        parts.append(samples.astype("<i2").tobytes())
        length += len(samples)
        if length >= most_s * SAMPLE_RATE:
            break
    return Talk(b"".join(parts), tuple(said))
