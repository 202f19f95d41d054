"""Checks and measures of a window's samples that every engine needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cluster.wording.message import Message
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.messages import MAX_WINDOW_MS, SAMPLE_RATE, AudioWindow

if TYPE_CHECKING:
    from numpy.typing import NDArray

SILENCE_DBFS = -60.0
"""A window whose loudest 20 ms are below this is silent: the noise floor of a poor microphone is about -50."""

FRAME_MS = 20
_FRAME = SAMPLE_RATE * FRAME_MS // 1000


def samples(window: AudioWindow) -> NDArray[np.float32]:
    """The window as float32, shape (samples,), -1 to 1. Raises EngineRefused when it cannot be such audio."""
    if len(window.pcm) % 2:
        raise EngineRefused(
            EngineProblem.BAD_INPUT,
            Message("transcription.damaged", "A piece of the audio is damaged: it does not hold whole 16-bit samples."),
        )
    if window.duration_ms > MAX_WINDOW_MS:
        raise EngineRefused(
            EngineProblem.BAD_INPUT,
            Message(
                "transcription.too_long",
                "A piece of the audio is {length:,} ms long; the model takes at most {most:,} ms.",
                length=window.duration_ms,
                most=MAX_WINDOW_MS,
            ),
        )
    return floats(window.pcm)


def floats(pcm: bytes) -> NDArray[np.float32]:
    """16-bit samples as float32, shape (samples,), -1 to 1."""
    wave: NDArray[np.float32] = np.multiply(np.frombuffer(pcm, dtype="<i2"), np.float32(1 / 32768), dtype=np.float32)
    return wave


def frame_levels(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    """Level of each 20 ms of the wave in dBFS, shape (frames,); a rest shorter than a frame is left out."""
    frames = wave[: len(wave) // _FRAME * _FRAME].reshape(-1, _FRAME)
    power = np.einsum("ij,ij->i", frames, frames) / np.float32(_FRAME)
    levels: NDArray[np.float32] = (10.0 * np.log10(np.maximum(power, 1e-12))).astype(np.float32)
    return levels


def is_silent(levels: NDArray[np.float32]) -> bool:
    """Whether no frame is loud enough to be speech. Such windows are never decoded: models invent words for them."""
    return not len(levels) or float(levels.max()) < SILENCE_DBFS
