"""Trains the tiny speller: `python -m serve.testing.tiny_speller.train WEIGHTS.npz` (see README.md)."""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import structlog
import torch
from numpy.typing import NDArray

from serve.testing.tiny_speller.fbank import log_mels
from serve.testing.tiny_speller.network import Speller
from serve.testing.tiny_speller.sentences import random_sentence
from serve.testing.tiny_speller.shape import BLANK, LETTERS
from serve.testing.tiny_speller.spoken import VOICES, Spoken, speak

log = structlog.get_logger(__name__)

SENTENCES = 6_000
MINUTES = 25
BATCH = 24
Batch = list[tuple[NDArray[np.float16], list[int]]]
"""Log mels and the numbers of their letters."""


def sentences(count: int) -> list[Spoken]:
    def one(index: int) -> Spoken:
        dice = np.random.default_rng(index)
        chosen = random_sentence(dice)
        with tempfile.TemporaryDirectory() as folder:
            stretch = float(dice.uniform(0.85, 1.25))
            return speak(chosen, Path(folder), voice=VOICES[index % len(VOICES)], stretch=stretch)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, range(count)))


def main(target: str) -> None:
    torch.manual_seed(0)
    made = sentences(SENTENCES)
    log.info("speller.spoken", hours=round(sum(len(each.samples) for each in made) / 16_000 / 3600, 2))
    examples = sorted(
        ((log_mels(each.samples).astype(np.float16), [LETTERS.index(c) + 1 for c in each.text]) for each in made),
        key=lambda each: len(each[0]),
    )
    batches = [examples[at : at + BATCH] for at in range(0, len(examples), BATCH)]
    network, loss_of = Speller(), torch.nn.CTCLoss(blank=BLANK, zero_infinity=True)
    steps, began = 0, time.monotonic()
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    dice = np.random.default_rng(1)
    while (passed := (time.monotonic() - began) / 60 / MINUTES) < 1:
        for at in dice.permutation(len(batches)):
            passed = (time.monotonic() - began) / 60 / MINUTES
            for group in optimizer.param_groups:
                group["lr"] = 2e-3 * min(1.0, (steps + 1) / 200) * max(0.02, 0.5 * (1 + np.cos(np.pi * min(1, passed))))
            loss = _step(network, loss_of, batches[at], dice)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            steps += 1
            if steps % 100 == 0:
                log.info("speller.step", steps=steps, passed=round(passed, 3), loss=round(float(loss), 3))
            if passed >= 1:
                break
    np.savez_compressed(target, **{name: value.numpy() for name, value in network.state_dict().items()})


def _step(network: Speller, loss_of: torch.nn.CTCLoss, batch: Batch, dice: np.random.Generator) -> torch.Tensor:
    longest = max(len(mels) for mels, _ in batch)
    given = np.zeros((len(batch), longest, 80), np.float32)
    for row, (mels, _) in enumerate(batch):
        given[row] = np.float32(mels.min())
        given[row, : len(mels)] = mels
        given[row] += dice.normal(0, 0.15, given[row].shape)
        band, moment = dice.integers(0, 70), dice.integers(0, max(1, len(mels) - 12))
        given[row, :, band : band + dice.integers(0, 10)] = mels.mean()
        given[row, moment : moment + dice.integers(0, 10)] = mels.mean()
    scores = network(torch.from_numpy(given)).log_softmax(-1).transpose(0, 1)
    lengths = torch.tensor([(len(mels) + 1) // 2 for mels, _ in batch]).clamp(max=scores.shape[0])
    targets = torch.tensor([letter for _, letters in batch for letter in letters])
    return loss_of(scores, targets, lengths, torch.tensor([len(letters) for _, letters in batch]))


if __name__ == "__main__":
    main(sys.argv[1])
