"""The audio a file is transcribed from: 16 kHz mono 16-bit WAV, read piece by piece and never as a whole."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Self

from serve.messages import SAMPLE_RATE

SAMPLES_PER_MS = SAMPLE_RATE // 1000
BYTES_PER_SAMPLE = 2


class NotTranscribable(ValueError):
    """The file is no WAV of the one form that is stored for transcription."""


class PcmFile:
    """Random access by time to a stored WAV. Use as a context manager; not for several threads."""

    def __init__(self, path: Path) -> None:
        try:
            self._wav = wave.open(str(path), "rb")  # noqa: SIM115 - closed by __exit__
        except (wave.Error, EOFError) as error:
            raise NotTranscribable(f"not a WAV file: {error}") from error
        form = (self._wav.getnchannels(), self._wav.getsampwidth(), self._wav.getframerate())
        if form != (1, BYTES_PER_SAMPLE, SAMPLE_RATE):
            self._wav.close()
            raise NotTranscribable(f"channels, bytes and rate are {form}, not {(1, BYTES_PER_SAMPLE, SAMPLE_RATE)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wav.close()

    @property
    def samples(self) -> int:
        return self._wav.getnframes()

    @property
    def duration_ms(self) -> int:
        return self.samples // SAMPLES_PER_MS

    def read_samples(self, start: int, count: int) -> bytes:
        """At most `count` samples from `start` on, as mono signed 16-bit little-endian; fewer at the end."""
        self._wav.setpos(min(start, self.samples))
        return self._wav.readframes(count)

    def read(self, start_ms: int, end_ms: int) -> bytes:
        """The samples from `start_ms` up to `end_ms`."""
        return self.read_samples(start_ms * SAMPLES_PER_MS, (end_ms - start_ms) * SAMPLES_PER_MS)
