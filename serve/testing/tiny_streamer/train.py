"""Trains the tiny streaming model: `python -m serve.testing.tiny_streamer.train WEIGHTS.npz` (see README.md).

At first it is told in which frame to write each piece, as flite says when every word is spoken: by CTC alone it learns
for very long that nothing is the safest answer. Then CTC lets it choose the frames.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
import torch
from numpy.typing import NDArray

from serve.testing.tiny_speller.fbank import BANDS, log_mels
from serve.testing.tiny_speller.spoken import VOICES, Spoken, speak
from serve.testing.tiny_streamer.network import Streamer
from serve.testing.tiny_streamer.pieces import pieces, pieces_of
from serve.testing.tiny_streamer.sentences import random_sentence
from serve.testing.tiny_streamer.shape import STEP, WINDOW

log = structlog.get_logger(__name__)

SENTENCES = 4_000
MINUTES = 16
TOLD = 0.6
"""Share of the time in which it is told the frames."""
BATCH = 24
RATE = 2e-3
QUIETEST = -15.9
"""Log mels of no sound at all."""
NOTHING_WEIGHT = 0.1
"""Of frames without a piece, which are most, while it is told."""
Mels = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """Log mels, the pieces, and the frame of 10 ms in which each one ends."""

    mels: Mels
    pieces: list[int]
    ends: list[int]


def main(target: str) -> None:
    torch.manual_seed(0)
    examples = [example(each) for each in sentences(SENTENCES) if each.words is not None]
    log.info("streamer.spoken", hours=round(sum(len(each.mels) for each in examples) / 360_000, 2))
    train(examples, target)


def sentences(count: int) -> list[Spoken]:
    def one(index: int) -> Spoken:
        dice = np.random.default_rng(index)
        with tempfile.TemporaryDirectory() as folder:
            stretch = float(dice.uniform(0.85, 1.2))
            return speak(random_sentence(dice), Path(folder), voice=VOICES[index % len(VOICES)], stretch=stretch)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, range(count)))


def example(spoken: Spoken) -> Example:
    """The pieces of a word share its time evenly."""
    numbers: list[int] = []
    ends: list[int] = []
    for word in spoken.words or ():
        parts = pieces_of(word.text)
        lasting = (word.end_ms - word.start_ms) / 10 / len(parts)
        numbers += parts
        ends += [round(word.start_ms / 10 + lasting * (at + 1)) for at in range(len(parts))]
    return Example(log_mels(spoken.samples), numbers, ends)


def train(examples: Sequence[Example], target: str) -> None:
    network = Streamer()
    weights = torch.ones(len(pieces()))
    weights[0] = NOTHING_WEIGHT
    told, free = torch.nn.CrossEntropyLoss(weights, ignore_index=-1), torch.nn.CTCLoss(blank=0, zero_infinity=True)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    dice = np.random.default_rng(1)
    steps, began = 0, time.monotonic()
    while (passed := (time.monotonic() - began) / 60 / MINUTES) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (steps + 1) / 200) * max(0.02, 0.5 * (1 + np.cos(np.pi * passed)))
        batch = [talk(examples, dice) for _ in range(BATCH)]
        scores = network(torch.from_numpy(_given(batch, dice)))
        loss = _told(told, scores, batch) if passed < TOLD else _free(free, scores, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        steps += 1
        if steps % 100 == 0:
            log.info("streamer.step", steps=steps, passed=round(passed, 3), loss=round(loss.item(), 3))
    np.savez_compressed(target, **{name: value.numpy() for name, value in network.state_dict().items()})


def talk(examples: Sequence[Example], dice: np.random.Generator) -> Example:
    """One to three sentences with silence before, between and after them, at any loudness, over any noise."""
    parts, numbers, ends = [_silence(dice)], [], []
    for index in dice.integers(0, len(examples), int(dice.integers(1, 4))):
        each = examples[index]
        begun = sum(map(len, parts))
        parts += [each.mels, _silence(dice)]
        numbers += each.pieces
        ends += [begun + end for end in each.ends]
    # The last frames need something to look ahead to.
    whole = np.concatenate([*parts, _silence(dice, least=40)]) + np.float32(dice.uniform(-3, 2))
    noise = dice.uniform(QUIETEST, -11) + dice.normal(0, 0.5, whole.shape)
    return Example(np.asarray(np.logaddexp(whole, noise), np.float32), numbers, ends)


def _silence(dice: np.random.Generator, least: int = 0) -> Mels:
    return np.full((int(dice.integers(least, least + 60)), BANDS), QUIETEST, np.float32)


def _given(batch: Sequence[Example], dice: np.random.Generator) -> Mels:
    """The log mels of a batch, with a band and a moment of each masked."""
    given = np.full((len(batch), max(len(each.mels) for each in batch), BANDS), QUIETEST, np.float32)
    for row, each in enumerate(batch):
        given[row, : len(each.mels)] = each.mels
        band, moment = dice.integers(0, 70), dice.integers(0, len(each.mels) - 12)
        given[row, :, band : band + dice.integers(0, 10)] = each.mels.mean()
        given[row, moment : moment + dice.integers(0, 10)] = each.mels.mean()
    return given


def _frames(each: Example) -> int:
    return (len(each.mels) - WINDOW) // STEP + 1


def _told(loss_of: torch.nn.CrossEntropyLoss, scores: torch.Tensor, batch: Sequence[Example]) -> torch.Tensor:
    wanted = np.full(scores.shape[:2], -1, np.int64)
    for row, each in enumerate(batch):
        wanted[row, : _frames(each)] = 0
        free = 0
        for number, end in zip(each.pieces, each.ends, strict=True):
            # Its window then reaches 120 ms beyond the piece. A frame has room for one.
            free = max(free, end // STEP)
            if free < _frames(each):
                wanted[row, free] = number
            free += 1
    return loss_of(scores.flatten(0, 1), torch.from_numpy(wanted).flatten())


def _free(loss_of: torch.nn.CTCLoss, scores: torch.Tensor, batch: Sequence[Example]) -> torch.Tensor:
    likely = scores.log_softmax(-1).transpose(0, 1)
    targets = torch.tensor([number for each in batch for number in each.pieces])
    lengths = torch.tensor([len(each.pieces) for each in batch])
    return loss_of(likely, targets, torch.tensor([_frames(each) for each in batch]), lengths)


if __name__ == "__main__":
    main(sys.argv[1])
