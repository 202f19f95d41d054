"""Writes the spectrogram of a file while its sound streams by: how loud each band of frequencies is over time."""

from __future__ import annotations

from functools import lru_cache
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np
import numpy.typing as npt

from serve.tasks.transcription.messages import SAMPLE_RATE

COLUMNS_PER_SECOND = 40
SAMPLES_PER_COLUMN = SAMPLE_RATE // COLUMNS_PER_SECOND
BANDS = 64
"""Bytes of a column. The page (`ui/src/features/captions/wave/spectrogram.ts`) counts on both numbers."""
_FRAME = 512
"""Samples of a spectrum: 32 ms, a little more than the 25 ms of a column."""
_LOWEST_HZ = 60.0
_QUIETEST_DB = -90.0
_LOUDEST_DB = -20.0
"""Of a band, where a sine at full scale has -6 dB. Speech lies between the two; what is louder is drawn as loud."""
_BATCH_COLUMNS = 1_024
"""Columns computed at once: 2 MB of samples as numbers."""


class SpectrogramWriter:
    """Writes `BANDS` bytes, low frequencies first, for each started 25 ms. Memory does not grow with the length.

    Bands are equally wide on the mel scale (O'Shaughnessy 1987: 2595 log10(1 + f/700)), from 60 Hz to 8 kHz. A byte is
    the band's power in decibels, 0 for -90 dB or less and 255 for -20 dB or more.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._open = np.empty(0, dtype="<i2")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if kind is None and len(self._open):
            columns = -(-len(self._open) // SAMPLES_PER_COLUMN)
            self._write(np.pad(self._open, (0, _needed(columns))), columns)
        self._out.close()

    def add(self, pcm: bytes) -> None:
        """The next samples: mono signed 16-bit little-endian at 16 kHz, whole samples only."""
        self._open = np.concatenate([self._open, np.frombuffer(pcm, dtype="<i2")])
        while len(self._open) >= _needed(_BATCH_COLUMNS):
            self._write(self._open, _BATCH_COLUMNS)
            self._open = self._open[_BATCH_COLUMNS * SAMPLES_PER_COLUMN :]

    def _write(self, samples: npt.NDArray[np.int16], columns: int) -> None:
        windows = np.lib.stride_tricks.sliding_window_view(samples[: _needed(columns)], _FRAME)[::SAMPLES_PER_COLUMN]
        scaled = windows[:columns].astype(np.float32) * (_window() / 32_768)
        power = np.abs(np.fft.rfft(scaled, axis=1)).astype(np.float32) ** 2
        decibels = 10 * np.log10(power @ _bands() + 1e-12)
        shares = (decibels - _QUIETEST_DB) / (_LOUDEST_DB - _QUIETEST_DB)
        self._out.write(np.rint(np.clip(shares, 0, 1) * 255).astype(np.uint8).tobytes())


def _needed(columns: int) -> int:
    """Samples from the start of the first of so many columns to the end of the last one's spectrum."""
    return (columns - 1) * SAMPLES_PER_COLUMN + _FRAME


@lru_cache(maxsize=1)
def _window() -> npt.NDArray[np.float32]:
    """A Hann window whose sum is 1, so that a spectrum does not depend on its length."""
    hann = np.hanning(_FRAME + 1)[:-1]
    window: npt.NDArray[np.float32] = (hann / hann.sum()).astype(np.float32)
    return window


@lru_cache(maxsize=1)
def _bands() -> npt.NDArray[np.float32]:
    """The weight of each frequency in each band, shape (257, BANDS): triangles that overlap by half.

    Low bands are narrower than a frequency of the spectrum, so each takes at least its share of the nearest two.
    """
    frequencies = np.fft.rfftfreq(_FRAME, 1 / SAMPLE_RATE)
    mel = np.linspace(_mel(_LOWEST_HZ), _mel(SAMPLE_RATE / 2), BANDS + 2)
    edges = 700 * (10 ** (mel / 2_595) - 1)
    step = frequencies[1]
    lower = np.maximum(edges[1:-1] - edges[:-2], step)
    upper = np.maximum(edges[2:] - edges[1:-1], step)
    offset = frequencies[:, None] - edges[1:-1]
    triangles = np.where(offset < 0, 1 + offset / lower, 1 - offset / upper)
    bands: npt.NDArray[np.float32] = np.maximum(triangles, 0).astype(np.float32)
    return bands


def _mel(hertz: float) -> float:
    return float(2_595 * np.log10(1 + hertz / 700))
