"""When each token of a synthesised clip is spoken, from the loudness of the clip alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serve.testing.tiny_models.clips import SAMPLE_RATE

HOP_SECONDS = 0.01
FRAME_SAMPLES = 400
VOICED_SHARE = 0.04
"""A 25 ms frame is voice when its RMS is above this share of the clip's loudest frame."""


def voiced_times(samples: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Times in seconds (middles of 25 ms frames, 10 ms apart) at which the clip has voice; never empty."""
    hop = int(HOP_SECONDS * SAMPLE_RATE)
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME_SAMPLES)[::hop]
    loudness = np.sqrt((frames.astype(np.float64) ** 2).mean(axis=1))
    smooth = np.convolve(loudness, np.ones(5) / 5, "same")
    voiced = np.flatnonzero(smooth > smooth.max() * VOICED_SHARE)
    times: npt.NDArray[np.float64] = voiced.astype(np.float64) * HOP_SECONDS + FRAME_SAMPLES / 2 / SAMPLE_RATE
    return times


def spread_tokens(lengths: list[int], voiced: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The middle of each token in seconds: the voiced time shared out by `lengths`, the letters of each token."""
    ends = np.cumsum(np.asarray(lengths, dtype=np.float64))
    middles = (ends - np.asarray(lengths) / 2) / ends[-1]
    indices = np.minimum((middles * len(voiced)).astype(int), len(voiced) - 1)
    spread: npt.NDArray[np.float64] = voiced[indices]
    return spread
