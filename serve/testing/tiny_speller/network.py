"""The acoustic part: convolutions over log mels that score each letter every 20 ms. Needs torch."""

from __future__ import annotations

import torch
from torch import nn

from serve.testing.tiny_speller.fbank import BANDS
from serve.testing.tiny_speller.shape import DILATIONS, KERNEL, LETTERS, WIDTH

CLASSES = len(LETTERS) + 1


class Speller(nn.Module):
    """Log mels (batch, frames of 10 ms, 80) to scores (batch, frames of 20 ms, classes). Class 0 is blank."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv1d(BANDS, WIDTH, KERNEL, stride=2, padding=KERNEL // 2)
        self.layers = nn.ModuleList(
            nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2 * step, dilation=step) for step in DILATIONS
        )
        self.last = nn.Conv1d(WIDTH, CLASSES, 1)

    def forward(self, mels: torch.Tensor) -> torch.Tensor:
        # The mean over time goes with loudness and voice.
        hidden = torch.relu(self.first((mels - mels.mean(1, keepdim=True)).transpose(1, 2)))
        for layer in self.layers:
            hidden = hidden + torch.relu(layer(hidden))
        return self.last(hidden).transpose(1, 2)
