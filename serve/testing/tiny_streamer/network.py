"""The acoustic part: an LSTM over log mels that scores each piece every 40 ms. Needs torch."""

from __future__ import annotations

import torch
from torch import nn

from serve.testing.tiny_speller.fbank import BANDS
from serve.testing.tiny_streamer.pieces import pieces
from serve.testing.tiny_streamer.shape import FRONT, HIDDEN, LAYERS, LEVEL, SPREAD, STEP, WINDOW


class Streamer(nn.Module):
    """Log mels (batch, frames of 10 ms, 80) to scores (batch, frames of 40 ms, pieces). Piece 0 is blank.

    It knows nothing of the future but what its window holds: nothing is normalised over time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.front = nn.Conv1d(BANDS, FRONT, WINDOW, stride=STEP)
        self.lstm = nn.LSTM(FRONT, HIDDEN, LAYERS, batch_first=True)
        self.last = nn.Linear(HIDDEN, len(pieces()))

    def forward(self, mels: torch.Tensor) -> torch.Tensor:
        seen = torch.relu(self.front((mels.transpose(1, 2) - LEVEL) / SPREAD)).transpose(1, 2)
        return self.last(self.lstm(seen)[0])
