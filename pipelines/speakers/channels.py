"""Who speaks when in a recording with one speaker on each channel: exact, and without a model."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pipelines.media.sound.channel_levels import APART_DB, FRAME_MS, Levels, is_loud, smoothed
from pipelines.media.sound.voice import FRAME_MS as VOICE_FRAME_MS
from pipelines.speakers.timeline import NOBODY, Timeline

_VOICE = 0.3
_MARGIN = 10
"""Frames around a voice that belong to it: first and last sounds are soft."""


def channel_timeline(levels: Levels, voices: Iterable[float]) -> Timeline:
    """The loudest channel of each frame with a voice. `voices` are probabilities, one for each 32 ms of the mix."""
    if not len(levels):
        return Timeline.silent(0)
    smooth = smoothed(levels)
    loudest = smooth.max(axis=1, keepdims=True)
    # A voice reaches the other microphones too, only softer.
    is_heard = is_loud(smooth) & (smooth > loudest - APART_DB)
    is_spoken = _frames_with_voice(voices, len(levels)) & is_heard.any(axis=1)
    order = np.argsort(-smooth, axis=1, kind="stable")
    speaker = np.where(is_spoken, order[:, 0], NOBODY).astype(np.int16)
    is_alone = is_spoken & (is_heard.sum(axis=1) == 1)
    second = order[:, :2][:, -1]
    return Timeline(speaker, np.where(is_spoken & ~is_alone, second, NOBODY).astype(np.int16), is_alone)


def _frames_with_voice(voices: Iterable[float], frames: int) -> NDArray[np.bool_]:
    is_voice = np.fromiter((voice >= _VOICE for voice in voices), np.bool_)
    if not len(is_voice):
        return np.zeros(frames, np.bool_)
    index = np.minimum(np.arange(frames) * FRAME_MS // VOICE_FRAME_MS, len(is_voice) - 1)
    near = np.convolve(is_voice[index].astype(np.int32), np.ones(2 * _MARGIN + 1, np.int32), mode="same")
    return near > 0
