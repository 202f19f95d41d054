"""Whisper's log-mel spectrum of many windows at once, by torchaudio on the model's device.

Equal to faster-whisper's within 1e-4: the powers are the same numbers, the filters differ by 2e-7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as functional
from torchaudio.transforms import MelScale, Spectrogram

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.whisper.encoding import FRAMES_PER_SECOND, SHORTEST_SAMPLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

FFT = 400
HOP = 160
SMALLEST_POWER = 1e-10
RANGE = 8.0
"""Powers of ten below the loudest value of the window that count."""


class MelSpectrum:
    """Makes the encoder's input."""

    def __init__(self, bands: int, device: torch.device) -> None:
        self._power = Spectrogram(FFT, hop_length=HOP, power=2.0, center=False).to(device)
        # The filters of librosa, with which Whisper was trained.
        self._bands = MelScale(
            bands, SAMPLE_RATE, f_max=SAMPLE_RATE / 2, n_stft=FFT // 2 + 1, norm="slaney", mel_scale="slaney"
        ).to(device)
        self._device = device

    def __call__(self, waves: Sequence[NDArray[np.float32]], context_ms: int) -> torch.Tensor:
        """Float32 of shape (windows, bands, frames of the context). Frames beyond a wave are 0."""
        frames = context_ms * FRAMES_PER_SECOND // 1000
        lengths = [max(len(wave), SHORTEST_SAMPLES) for wave in waves]
        # A hop of silence follows each wave, then both ends are mirrored, as if the wave were alone.
        sound = np.zeros((len(waves), max(lengths) + HOP + FFT), np.float32)
        for row, wave, length in zip(sound, waves, lengths, strict=True):
            row[FFT // 2 : FFT // 2 + len(wave)] = wave
            end = FFT // 2 + length + HOP
            row[: FFT // 2] = row[FFT // 2 + 1 : FFT + 1][::-1]
            row[end : end + FFT // 2] = row[end - FFT // 2 - 1 : end - 1][::-1]
        power = self._bands(self._power(torch.from_numpy(sound).to(self._device, non_blocking=True)))
        scale = power.clamp(min=SMALLEST_POWER).log10()
        # faster-whisper leaves out the last frame of each spectrum, and our own windows one more.
        counts = torch.tensor([(length + HOP) // HOP for length in lengths], device=self._device)[:, None, None]
        index = torch.arange(scale.shape[-1], device=self._device)
        loudest = scale.masked_fill(index >= counts, -torch.inf).amax((1, 2), keepdim=True)
        scale = (torch.maximum(scale, loudest - RANGE) + 4.0) / 4.0
        scale = scale.masked_fill(index >= counts - 1, 0.0)[..., :frames]
        return functional.pad(scale, (0, frames - scale.shape[-1]))
