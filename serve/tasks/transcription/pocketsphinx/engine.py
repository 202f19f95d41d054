"""PocketSphinx: the engine that always works. English only; its model is part of the package.

Each decoder is a process of its own: the library holds Python's lock while it decodes, so threads would not run side by
side, and the replica could not answer meanwhile.
"""

from __future__ import annotations

import json
import queue
import struct
import subprocess
import sys
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from serve.core.messages import EngineInfo, EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.audio import frame_levels, is_silent, samples
from serve.tasks.transcription.guard import doubts_of_words
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, Segment, WindowResult, Word
from serve.tasks.transcription.pocketsphinx.sentences import CRASHED, ENGLISH_ONLY, LANGUAGES, NOTE
from serve.tasks.transcription.pocketsphinx.words import word_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from serve.tasks.transcription.engine import WindowOutcome

SEGMENT_PAUSE_MS = 600
"""A pause of at least this length ends a segment: PocketSphinx gives no sentences, and speakers pause between them."""

DITHER = 10.0
"""Standard deviation of the noise mixed in, in 16-bit steps: -70 dBFS. Digital silence, which no recording has, derails
the search for the rest of the window: "we will meet again in the morning" after two such seconds became "learning"."""

_DECODER = ("nice", "-n", "4", sys.executable, "-m", "serve.tasks.transcription.pocketsphinx.decoder")
"""Whoever speaks live goes first on a busy machine: the programs that follow speech are not slowed down."""
_PROJECT = Path(__file__).parents[4]


class PocketSphinxEngine:
    """A pool of decoder processes, started when they are first needed."""

    gains_from_batches = False
    has_deadline = False

    def __init__(self, *, reason: str, parallel: int = 1) -> None:
        self.info = EngineInfo(
            task="transcription",
            engine="pocketsphinx",
            model="en-us",
            device="cpu",
            reason=reason,
            languages=LANGUAGES,
            word_times=WordTimes.NATIVE,
            punctuates=False,
            note=NOTE,
        )
        self.parallel = max(1, parallel)
        self.spare_workers = 0
        self._decoders: queue.SimpleQueue[_DecoderProcess] = queue.SimpleQueue()
        self._all = [_DecoderProcess() for _ in range(self.parallel)]
        for decoder in self._all:
            self._decoders.put(decoder)

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        return [self._one(window) for window in batch]

    def batch_key(self, window: AudioWindow) -> Hashable:
        return None

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """English with probability 0: this engine cannot detect languages."""
        samples(window)
        return LanguageGuess(candidates=(("en", 0.0),))

    def rest(self) -> None:
        """Nothing to free: its decoders are small."""

    def close(self) -> None:
        for decoder in self._all:
            decoder.stop()

    def _one(self, window: AudioWindow) -> WindowOutcome:
        language = window.options.language
        if language is not None and language not in LANGUAGES:
            return EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                ENGLISH_ONLY(language=language),
            )
        probability = 0.0 if language is None else 1.0
        try:
            wave = samples(window)
            levels = frame_levels(wave)
            if is_silent(levels):
                return WindowResult(window.index, (), "en", probability)
            decoder = self._decoders.get()
            try:
                parts = decoder.decode(_dithered(wave))
            finally:
                self._decoders.put(decoder)
        except EngineRefused as refused:
            return refused
        segments = _segments(words_of(parts, window), start_ms=window.start_ms, levels=levels)
        return WindowResult(window.index, segments, "en", probability)


def words_of(parts: Sequence[Sequence[Any]], window: AudioWindow) -> list[Word]:
    """Words from a decoder's parts (word, first frame, last frame, probability), without pauses and noises."""
    found = (word_of(part, longest_ms=window.duration_ms) for part in parts)
    return [
        replace(word, start_ms=window.start_ms + word.start_ms, end_ms=window.start_ms + word.end_ms)
        for word in found
        if word is not None
    ]


def _segments(words: list[Word], *, start_ms: int, levels: NDArray[np.float32]) -> tuple[Segment, ...]:
    groups: list[list[Word]] = []
    for word in words:
        if groups and word.start_ms - groups[-1][-1].end_ms < SEGMENT_PAUSE_MS:
            groups[-1].append(word)
        else:
            groups.append([word])
    return tuple(
        Segment(
            start_ms=group[0].start_ms,
            end_ms=group[-1].end_ms,
            text=" ".join(word.text for word in group),
            words=tuple(group),
            language="en",
            doubts=doubts_of_words(group, levels=levels, start_ms=start_ms),
        )
        for group in groups
    )


def _dithered(wave: NDArray[np.float32]) -> bytes:
    """16-bit samples with a little noise, the same noise for every window so that results repeat."""
    import numpy as np

    noise = np.random.default_rng(0).normal(0.0, DITHER, len(wave))
    return np.clip(np.rint(wave * 32768.0 + noise), -32768, 32767).astype("<i2").tobytes()


class _DecoderProcess:
    """One decoder program, for one thread at a time: the pool hands it to one caller after another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def decode(self, pcm: bytes) -> list[list[Any]]:
        """Parts recognised in the samples. Raises EngineRefused when the program died; the next call restarts it."""
        process = self._started()
        reader, writer = process.stdout, process.stdin
        if reader is None or writer is None:
            raise RuntimeError("The decoder program has no pipes.")
        line = b""
        with suppress(BrokenPipeError):
            writer.write(struct.pack("<I", len(pcm)) + pcm)
            writer.flush()
            line = reader.readline()
        if not line.endswith(b"\n"):
            self.stop()
            raise EngineRefused(EngineProblem.MODEL_FAILED, CRASHED)
        return cast("list[list[Any]]", json.loads(line))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(
                _DECODER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_PROJECT
            )
        return self._process

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
