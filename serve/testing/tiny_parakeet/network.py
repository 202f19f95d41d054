"""The acoustic part: one look at a second of sound around each frame, fitted by numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray

from serve.testing.tiny_parakeet.features import BANDS
from serve.testing.tiny_parakeet.scenes import LONGEST_STEP

log = structlog.get_logger(__name__)

Floats = NDArray[np.float32]

STEP = 8
"""Frames of 10 ms in a frame of the encoder."""
CEPSTRA = 16
KERNEL = 104
BEFORE, AFTER = KERNEL // 2 - STEP // 2, KERNEL // 2 + STEP // 2 - 1
"""Padding with which n frames become ceil(n / 8)."""
HIDDEN = 160
STEPS, BATCH, RATE = 7_000, 512, 0.002


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the layers: `first` (cepstra * kernel, hidden), `second` (hidden, pieces + blank + durations)."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats


def cosines() -> Floats:
    """(bands, cepstra): smooth shapes of a spectrum; their sums tell sounds apart."""
    middles = (np.arange(BANDS) + 0.5) / BANDS
    return np.asarray(np.cos(np.pi * np.outer(middles, np.arange(CEPSTRA))) / np.sqrt(BANDS / 2), np.float32)


def contexts(spectrum: Floats) -> Floats:
    """What the first layer sees in each frame: (frames, cepstra * kernel)."""
    cepstra = np.pad(spectrum @ cosines(), ((BEFORE, AFTER), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(cepstra, KERNEL, axis=0)[::STEP]
    return np.ascontiguousarray(windows.reshape(len(windows), -1))


def fit(given: NDArray[np.float16], pieces: NDArray[np.int64], steps: NDArray[np.int64], tokens: int) -> Weights:
    """By Adam on the sum of two cross-entropies: of the piece (or blank) and of the frames left of it."""
    dice = np.random.default_rng(5)
    weights = [
        dice.normal(0, 0.03, (given.shape[1], HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        dice.normal(0, 0.1, (HIDDEN, tokens + LONGEST_STEP + 1)).astype(np.float32),
        np.zeros(tokens + LONGEST_STEP + 1, np.float32),
    ]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    for step in range(1, STEPS + 1):
        chosen = dice.integers(0, len(given), BATCH)
        x = given[chosen].astype(np.float32)
        hidden = np.maximum(0, x @ weights[0] + weights[1])
        kept = (dice.random(hidden.shape, np.float32) > 0.2).astype(np.float32) / np.float32(0.8)
        scores = np.asarray((hidden * kept) @ weights[2] + weights[3], np.float32)
        error = np.concatenate(
            [_error(scores[:, :tokens], pieces[chosen]), _error(scores[:, tokens:], steps[chosen]) * np.float32(0.3)],
            axis=1,
        )
        back = (error @ weights[2].T) * kept * (hidden > 0)
        slopes = [x.T @ back, back.sum(axis=0), (hidden * kept).T @ error, error.sum(axis=0)]
        rate = np.float32(RATE * (1 - step / (STEPS + 1)))
        for index, slope in enumerate(slopes):
            mean, square = moments[index]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            corrected = np.sqrt(square / np.float32(1 - 0.999**step)) + np.float32(1e-8)
            weights[index] -= rate * (mean / np.float32(1 - 0.9**step)) / corrected
            if index % 2 == 0:
                weights[index] *= 1 - rate * np.float32(0.01)
        if step % 250 == 0:
            right = (scores[:, :tokens].argmax(axis=1) == pieces[chosen]).mean()
            log.info("network.fitted", step=step, right=round(float(right), 3))
    return Weights(*weights)


def _error(scores: Floats, wanted: NDArray[np.int64]) -> Floats:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[np.arange(len(wanted)), wanted] -= 1
    return np.asarray(shares / len(wanted), np.float32)
