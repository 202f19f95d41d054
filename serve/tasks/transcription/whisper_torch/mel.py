"""Whisper's log-mel spectrum of many windows at once, on the model's device.

Equal to faster-whisper's within 1e-4: the powers are the same numbers, the filters differ by 2e-7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as functional
from transformers.audio_utils import mel_filter_bank

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
        self._shape = torch.hann_window(FFT, device=device)
        # The filters of librosa, with which Whisper was trained.
        filters = mel_filter_bank(
            FFT // 2 + 1, bands, 0.0, SAMPLE_RATE / 2, SAMPLE_RATE, norm="slaney", mel_scale="slaney"
        )
        self._filters = torch.from_numpy(filters.T.astype(np.float32)).to(device)
        self._device = device

    def __call__(self, waves: Sequence[NDArray[np.float32]], context_ms: int) -> torch.Tensor:
        """Float32 of shape (windows, bands, frames of the context). Frames beyond a wave are 0."""
        frames = context_ms * FRAMES_PER_SECOND // 1000
        lengths = [max(len(wave), SHORTEST_SAMPLES) for wave in waves]
        # A hop of silence follows each wave, then both ends are mirrored, as if the wave were alone.
        sound, rows = self._staged(len(waves), max(lengths) + HOP + FFT)
        for row, wave, length in zip(rows, waves, lengths, strict=True):
            row[FFT // 2 : FFT // 2 + len(wave)] = wave
            end = FFT // 2 + length + HOP
            row[: FFT // 2] = row[FFT // 2 + 1 : FFT + 1][::-1]
            row[end : end + FFT // 2] = row[end - FFT // 2 - 1 : end - 1][::-1]
        spectrum = torch.stft(
            sound.to(self._device, non_blocking=True), FFT, HOP, window=self._shape, center=False, return_complex=True
        )
        power = self._filters @ spectrum.abs().square()
        scale = power.clamp(min=SMALLEST_POWER).log10()
        # faster-whisper leaves out the last frame of each spectrum, and our own windows one more.
        counts = torch.tensor([(length + HOP) // HOP for length in lengths], device=self._device)[:, None, None]
        index = torch.arange(scale.shape[-1], device=self._device)
        loudest = scale.masked_fill(index >= counts, -torch.inf).amax((1, 2), keepdim=True)
        scale = (torch.maximum(scale, loudest - RANGE) + 4.0) / 4.0
        scale = scale.masked_fill(index >= counts - 1, 0.0)[..., :frames]
        return functional.pad(scale, (0, frames - scale.shape[-1]))

    def _staged(self, windows: int, samples: int) -> tuple[torch.Tensor, NDArray[np.float32]]:
        """Zeros on the host and the same memory for numpy: page-locked before a GPU, which copies it by itself."""
        zeros = torch.zeros(windows, samples, pin_memory=self._device.type == "cuda")
        return zeros, zeros.numpy()
