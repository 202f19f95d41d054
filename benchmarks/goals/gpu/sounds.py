"""Noise in windows: random weights hear the same in it as in speech."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions

Wave = NDArray[np.float32]
LEVEL = 0.1


def wave(seconds: float, seed: int) -> Wave:
    """Float32, -1 to 1, shape (samples,)."""
    generator = np.random.default_rng(seed)
    noise = LEVEL * generator.standard_normal(round(seconds * SAMPLE_RATE), dtype=np.float32)
    return np.clip(noise, -1.0, 1.0, out=noise)


def window(number: int, seconds: float, options: DecodeOptions) -> AudioWindow:
    """A window of a file of its own, so that it shares batches fairly with all others."""
    pcm = (wave(seconds, number % 8) * 32767).astype(np.int16).tobytes()
    return AudioWindow(f"file-{number}", 0, 0, pcm, options)
