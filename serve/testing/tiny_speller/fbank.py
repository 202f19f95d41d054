"""Kaldi's log mel energies as two matrices, so that a network may hear raw samples and a runtime's features alike.

Removal of the mean, pre-emphasis, window and Fourier transform of a frame are linear: one matrix does them all. Values
are Kaldi's defaults as sherpa-onnx sets them (`compute-fbank-feats`; 25 ms frames every 10 ms, povey window, 80 bands
from 20 Hz to 7,600 Hz, no dither, edges reflected).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE, FRAME, SHIFT, FFT, BANDS = 16_000, 400, 160, 512, 80
LOW_HZ, HIGH_HZ = 20.0, 7_600.0
PREEMPHASIS = 0.97
EDGE = (FRAME - SHIFT) // 2
"""Samples reflected on each side."""
FLOOR = float(np.finfo(np.float32).eps)


def spectrum_matrix() -> NDArray[np.float32]:
    """From a frame to the real and imaginary parts of its spectrum, shape (2 × 257, 400)."""
    centred = np.eye(FRAME) - 1 / FRAME
    emphasised = np.eye(FRAME) - PREEMPHASIS * np.eye(FRAME, k=-1)
    emphasised[0, 0] = 1 - PREEMPHASIS
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / (FRAME - 1))) ** 0.85
    angles = 2 * np.pi * np.outer(np.arange(FFT // 2 + 1), np.arange(FRAME)) / FFT
    transform = np.concatenate([np.cos(angles), -np.sin(angles)])
    return np.asarray(transform @ (window[:, None] * emphasised @ centred), np.float32)


def mel_matrix() -> NDArray[np.float32]:
    """From powers to bands, shape (80, 257)."""
    edges = np.linspace(_mel(LOW_HZ), _mel(HIGH_HZ), BANDS + 2)
    bins = _mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    banks = np.maximum(0, np.minimum(rising, falling))
    banks[:, -1] = 0
    return np.asarray(banks, np.float32)


def log_mels(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shape (frames of 10 ms, 80)."""
    padded = np.pad(samples, EDGE, mode="symmetric")
    count = len(samples) // SHIFT
    places = np.arange(count)[:, None] * SHIFT + np.arange(FRAME)
    parts = padded[places] @ spectrum_matrix().T
    half = FFT // 2 + 1
    powers = parts[:, :half] ** 2 + parts[:, half:] ** 2
    return np.asarray(np.log(np.maximum(powers @ mel_matrix().T, FLOOR)), np.float32)


def _mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))
