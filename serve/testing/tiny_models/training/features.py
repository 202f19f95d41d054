"""Whisper's log-mel features for training windows, with the oddities of faster-whisper's own."""

from __future__ import annotations

import random

import numpy as np
import torch
from faster_whisper.feature_extractor import FeatureExtractor

from serve.testing.tiny_models.clips import SAMPLE_RATE
from serve.testing.tiny_models.training.scene import Scene

MEL_BANDS = 80
WINDOW_SAMPLES = 400
HOP_SAMPLES = 160
FEATURES_PER_SECOND = SAMPLE_RATE // HOP_SAMPLES
SHARE_ZERO_TAIL = 0.55
SHARE_TILTED = 0.3


class WindowFeatures:
    """Log-mel features of scenes."""

    def __init__(self) -> None:
        filters = FeatureExtractor.get_mel_filters(SAMPLE_RATE, WINDOW_SAMPLES, MEL_BANDS)
        self._filters = torch.tensor(filters.astype(np.float32))
        self._window = torch.hann_window(WINDOW_SAMPLES)

    def of(self, rng: random.Random, scene: Scene) -> torch.Tensor:
        """Features [80, frames of 10 ms] of a scene, with its changes drawn from `rng`.

        Features are floored 8 below the loudest of the *file*, which may be louder than this window; a file that ends
        early is padded with zero features, not with the features of silence; and voices come through bad microphones.
        """
        louder_elsewhere = rng.choice([0.0, 0.0, rng.uniform(0, 0.8)])
        features = self._log_mel(torch.from_numpy(scene.samples), louder_elsewhere)
        if rng.random() < SHARE_TILTED:
            features = features + torch.linspace(-1, 1, MEL_BANDS)[:, None] * rng.uniform(-0.1, 0.1)
        if scene.cut is None and rng.random() < SHARE_ZERO_TAIL:
            spoken = scene.speech_end or rng.uniform(0, len(scene.samples) / SAMPLE_RATE)
            features[:, int((spoken + rng.uniform(0.05, 0.8)) * FEATURES_PER_SECOND) :] = 0
        return features

    def _log_mel(self, samples: torch.Tensor, louder_elsewhere: float) -> torch.Tensor:
        spectrum = torch.stft(samples, WINDOW_SAMPLES, HOP_SAMPLES, window=self._window, return_complex=True)
        power = spectrum[..., :-1].abs() ** 2
        log_mel = (self._filters @ power).clamp(min=1e-10).log10()
        return (torch.maximum(log_mel, log_mel.max() + louder_elsewhere - 8.0) + 4.0) / 4.0
