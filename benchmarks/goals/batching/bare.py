"""The bare engine: faster-whisper as its users call it, with the better of two ways to use two cores."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from faster_whisper import BatchedInferencePipeline, WhisperModel
from faster_whisper.transcribe import Segment
from faster_whisper.vad import VadOptions, get_speech_timestamps
from numpy.typing import NDArray

from serve.testing.sound import Samples

Wave = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Threads:
    """Parallel model calls, and threads in each."""

    calls: int
    each: int

    def __str__(self) -> str:
        return f"{self.calls}x{self.each}"


CHOICES = (Threads(1, 2), Threads(2, 1))


class Bare:
    """One faster-whisper model with fixed language and beam, without word times and without a second decoding."""

    def __init__(self, model: Path, threads: Threads) -> None:
        self.threads = threads
        self.model = WhisperModel(
            str(model), device="cpu", compute_type="int8", cpu_threads=threads.each, num_workers=threads.calls
        )

    def long_file(self, samples: Samples, windows: Sequence[tuple[int, int]], *, batch: int) -> int:
        """Find speech, then decode these windows (milliseconds) in batches; return the number of text tokens."""
        audio = wave_of(samples)
        get_speech_timestamps(audio, VadOptions(max_speech_duration_s=30, min_silence_duration_ms=160))
        segments, _ = BatchedInferencePipeline(self.model).transcribe(
            audio,
            language="en",
            beam_size=1,
            batch_size=batch,
            without_timestamps=False,
            clip_timestamps=[{"start": start / 1000, "end": end / 1000} for start, end in windows],
        )
        return sum(map(self._text_tokens, segments))

    def one_by_one(self, clips: Sequence[Samples]) -> int:
        """Run one `transcribe` after another; return the number of text tokens."""
        total = 0
        for clip in clips:
            segments, _ = self.model.transcribe(wave_of(clip), language="en", beam_size=1)
            total += sum(map(self._text_tokens, segments))
        return total

    def _text_tokens(self, segment: Segment) -> int:
        end = self.model.hf_tokenizer.token_to_id("<|endoftext|>")
        return sum(token < end for token in segment.tokens)


def best(model: Path, work: Callable[[Bare], object]) -> Bare:
    """The fastest of `CHOICES` for this work."""
    timed = []
    for threads in CHOICES:
        bare = Bare(model, threads)
        work(bare)
        begun = time.perf_counter()
        work(bare)
        timed.append((time.perf_counter() - begun, bare))
    return min(timed, key=lambda pair: pair[0])[1]


def wave_of(samples: Samples) -> Wave:
    wave: Wave = samples.astype(np.float32) / np.float32(32_768)
    return wave
