"""Collects the peaks of a waveform while its sound streams by, and writes what a page draws from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from serve.tasks.transcription.messages import SAMPLE_RATE

VERSION = 2
PEAKS_PER_SECOND = 20
SAMPLES_PER_PEAK = SAMPLE_RATE // PEAKS_PER_SECOND
_LOUDEST = 127


class PeakCollector:
    """Lowest and highest sample of each 50 ms, scaled to -127..127. Memory: 2 bytes a peak, 576 kB for four hours."""

    def __init__(self) -> None:
        self._open = np.empty(0, dtype="<i2")
        self._pairs: list[npt.NDArray[np.int8]] = []

    def add(self, pcm: bytes) -> None:
        """The next samples: mono signed 16-bit little-endian at 16 kHz, whole samples only."""
        samples = np.concatenate([self._open, np.frombuffer(pcm, dtype="<i2")])
        whole = len(samples) // SAMPLES_PER_PEAK * SAMPLES_PER_PEAK
        self._collect(samples[:whole])
        self._open = samples[whole:]

    def finish(self) -> npt.NDArray[np.int8]:
        """Pairs of lowest and highest, shape (peaks, 2); the last one may cover less than 50 ms."""
        if len(self._open):
            self._pairs.append(_scaled(self._open.min(keepdims=True), self._open.max(keepdims=True)))
            self._open = self._open[:0]
        return np.concatenate(self._pairs) if self._pairs else np.empty((0, 2), dtype=np.int8)

    def _collect(self, samples: npt.NDArray[np.int16]) -> None:
        if len(samples):
            bins = samples.reshape(-1, SAMPLES_PER_PEAK)
            self._pairs.append(_scaled(bins.min(axis=1), bins.max(axis=1)))


def _scaled(lowest: npt.NDArray[np.int16], highest: npt.NDArray[np.int16]) -> npt.NDArray[np.int8]:
    pairs = np.stack([lowest, highest], axis=1).astype(np.float32) * (_LOUDEST / 32768)
    scaled: npt.NDArray[np.int8] = np.rint(pairs).astype(np.int8)
    return scaled


def write_peaks(pairs: npt.NDArray[np.int8], speech: Sequence[tuple[int, int]], path: Path) -> None:
    """The JSON that the browser draws: `peaks` with lowest and highest in turn, `speech_ms` with starts and ends."""
    content = {
        "version": VERSION,
        "samples_per_second": PEAKS_PER_SECOND,
        "peaks": pairs.reshape(-1).tolist(),
        "speech_ms": [edge for stretch in speech for edge in stretch],
    }
    path.write_text(json.dumps(content, separators=(",", ":")), encoding="ascii")
