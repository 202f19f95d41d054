"""How loud each channel of a recording is over time: enough to tell who speaks where every speaker has a channel.

One byte for 20 ms and channel keeps what the samples of two channels would need 640 times the space for.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.messages import SAMPLE_RATE

FRAME_MS = 20
_FRAME = SAMPLE_RATE * FRAME_MS // 1000
FLOOR_DB = 100
"""Levels are decibels above -100 dB of full scale, from 0 to 100."""
MAX_CHANNELS = 16
"""Channels of a recording whose levels are kept."""

QUIET_DB = 45
"""Below -55 dB of full scale nothing counts as speech."""
ABOVE_NOISE_DB = 12
APART_DB = 8
"""A voice is this much louder in its own channel than in any other. Microphones in one room differ by 10 to 15 dB."""
_DIFFERENT_SHARE = 0.7
_LEAST_MS = 1_000
_LEAST_SHARE = 0.02
_SMOOTH = 5

Levels = NDArray[np.uint8]
"""Frames by channels."""


class LevelCollector:
    """Measures streamed sound. Memory: 50 bytes a second and channel."""

    def __init__(self, channels: int) -> None:
        self._channels = channels
        self._open = bytearray()
        self._levels: list[Levels] = []

    def add(self, pcm: bytes) -> None:
        """The next samples: interleaved signed 16-bit little-endian at 16 kHz."""
        self._open += pcm
        size = _FRAME * self._channels * 2
        whole = len(self._open) // size * size
        if whole:
            self._levels.append(self._measured(bytes(self._open[:whole])))
            del self._open[:whole]

    def finish(self) -> Levels:
        return np.concatenate(self._levels) if self._levels else np.zeros((0, self._channels), np.uint8)

    def _measured(self, pcm: bytes) -> Levels:
        # Every fourth sample gives the same loudness for a quarter of the work.
        frames = np.frombuffer(pcm, "<i2").reshape(-1, _FRAME, self._channels)[:, ::4].astype(np.float32)
        # Without the mean: some recorders add a constant.
        power = ((frames**2).mean(axis=1) - frames.mean(axis=1) ** 2) / 32_768.0**2
        return np.asarray(
            np.clip(np.rint(10 * np.log10(np.maximum(power, 0) + 1e-10) + FLOOR_DB), 0, FLOOR_DB), np.uint8
        )


def dominant(levels: Levels) -> NDArray[np.int16]:
    """The channel that speaks in each frame; -1 where none does or two are about as loud."""
    if not len(levels) or levels.shape[1] < 2:
        return np.full(len(levels), -1, np.int16)
    smooth = smoothed(levels)
    order = np.sort(smooth, axis=1)
    is_clear = is_loud(smooth).any(axis=1) & (order[:, -1] - order[:, -2] >= APART_DB)
    return np.where(is_clear, smooth.argmax(axis=1), -1).astype(np.int16)


def channels_differ(levels: Levels) -> bool:
    """Whether each speaker has a channel of their own: when there is sound, one channel is nearly always much louder
    than the others, and not always the same one. False for mono in stereo form, for mixes and for music."""
    if not len(levels) or levels.shape[1] < 2:
        return False
    loud = int(is_loud(smoothed(levels)).any(axis=1).sum())
    owners = dominant(levels)
    frames = np.bincount(owners[owners >= 0], minlength=levels.shape[1])
    enough = max(_LEAST_MS // FRAME_MS, _LEAST_SHARE * loud)
    return bool(frames.sum() >= _DIFFERENT_SHARE * loud and (frames >= enough).sum() >= 2)


def is_loud(smooth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each channel is well above its own noise, by frame and channel."""
    noise = np.percentile(smooth, 10, axis=0)
    return smooth >= np.maximum(QUIET_DB, noise + ABOVE_NOISE_DB)


def smoothed(levels: Levels) -> NDArray[np.float32]:
    """Levels over 100 ms around each frame, in decibels."""
    power = 10 ** (levels.astype(np.float32) / 10)
    sums = np.cumsum(np.pad(power, ((_SMOOTH // 2 + 1, _SMOOTH // 2), (0, 0)), mode="edge"), axis=0, dtype=np.float64)
    return (10 * np.log10((sums[_SMOOTH:] - sums[:-_SMOOTH]) / _SMOOTH + 1e-3)).astype(np.float32)


def write_levels(levels: Levels, path: Path) -> None:
    with path.open("wb") as out:
        np.save(out, levels, allow_pickle=False)


def read_levels(path: Path) -> Levels:
    """Raises ValueError for a file of another form."""
    with path.open("rb") as stored:
        levels = np.load(stored, allow_pickle=False)
    if levels.dtype != np.uint8 or levels.ndim != 2:
        raise ValueError("not the levels of channels")
    return np.asarray(levels)
