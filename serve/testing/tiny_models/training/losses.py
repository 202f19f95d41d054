"""Training losses: right tokens, attention on the token's sound, and an encoder that predicts both."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as functional

from serve.testing.tiny_models.tokenizer import TIMESTAMP_COUNT
from serve.testing.tiny_models.training.batches import Batch
from serve.testing.tiny_models.training.network import ModelOutput, TinyWhisper

ATTENTION_SPREAD = 3.0
"""Standard deviation, in positions of 20 ms, of where an alignment head should look."""

CLOSE_TIMESTAMP = 10
"""A timestamp within this many tokens (0.2 s) counts as right in the figures."""

SILENT_FRAME_WEIGHT = 0.1
TURN_WEIGHT = 3.0
"""Weight of the answers with which the model chooses where to attend next."""


@dataclass(frozen=True, slots=True)
class LossWeights:
    """`timestamp_spread` is the standard deviation, in timestamp tokens, that right timestamps are softened by."""

    timestamp_spread: float
    attention: float
    frames: float
    positions: float


@dataclass(frozen=True, slots=True)
class Lesson:
    """`total` is what to descend; the rest are figures: losses, and shares of text and timestamps answered right."""

    total: torch.Tensor
    tokens: float
    attention: float
    frames: float
    text_right: float
    timestamps_right: float


def judge(model: TinyWhisper, output: ModelOutput, batch: Batch, weights: LossWeights) -> Lesson:
    """All losses of one batch."""
    tokens, text_right, timestamps_right = _token_loss(model, output, batch, weights.timestamp_spread)
    attention = _attention_loss(output.log_attention, batch.heard_at)
    frames = _frame_loss(model, output.encoded, batch.frame_classes)
    read = model.position_readout(output.encoded)
    positions = functional.mse_loss(read, output.positions.expand_as(read))
    total = tokens + weights.attention * attention + weights.frames * frames + weights.positions * positions
    return Lesson(
        total=total,
        tokens=float(tokens.detach()),
        attention=float(attention.detach()),
        frames=float(frames.detach()),
        text_right=text_right,
        timestamps_right=timestamps_right,
    )


def _token_loss(
    model: TinyWhisper, output: ModelOutput, batch: Batch, timestamp_spread: float
) -> tuple[torch.Tensor, float, float]:
    learnt = batch.answers >= 0
    answers = batch.answers[learnt]
    first = model.first_timestamp
    log_probabilities = model.log_probabilities(output.decoded[learnt])
    loss = -log_probabilities.gather(1, answers[:, None])[:, 0]
    stamped = answers >= first
    near = torch.arange(-3, 4)
    softened = torch.softmax(-0.5 * (near / timestamp_spread) ** 2, 0)
    around = (answers[stamped][:, None] + near).clamp(first, first + TIMESTAMP_COUNT - 1)
    loss[stamped] = -(log_probabilities[stamped].gather(1, around) * softened).sum(1)
    emphasis = torch.where(batch.turns[learnt], TURN_WEIGHT, 1.0)
    with torch.no_grad():
        distance = (log_probabilities.argmax(1) - answers).abs()
        text_right = float((distance[~stamped] == 0).float().mean())
        timestamps_right = float((distance[stamped] <= CLOSE_TIMESTAMP).float().mean())
    return (loss * emphasis).sum() / emphasis.sum(), text_right, timestamps_right


def _attention_loss(log_attention: torch.Tensor, heard_at: torch.Tensor) -> torch.Tensor:
    """Kullback-Leibler distance from a bell around the token's time to where each alignment head looks."""
    placed = heard_at >= 0
    if not placed.any():
        return torch.zeros(())
    positions = torch.arange(log_attention.shape[-1])
    wanted = torch.softmax(-0.5 * ((positions - heard_at[placed][:, None]) / ATTENTION_SPREAD) ** 2, -1)
    looked = log_attention.permute(0, 2, 1, 3)[placed]
    entropy = -torch.special.xlogy(wanted, wanted).sum(-1).mean()
    return -(looked * wanted[:, None]).sum(-1).mean() - entropy


def _frame_loss(model: TinyWhisper, encoded: torch.Tensor, frame_classes: torch.Tensor) -> torch.Tensor:
    scores = model.frame_readout(encoded)
    importance = torch.ones(scores.shape[-1])
    importance[0] = SILENT_FRAME_WEIGHT
    return functional.cross_entropy(scores.flatten(0, 1), frame_classes.flatten(), weight=importance)
