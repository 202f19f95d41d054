"""When each token of a known text was spoken: one more pass of the decoder, and the path through its attention.

As in openai/whisper: the scores of the alignment heads, normalised over the tokens, smoothed over time and averaged,
give the cheapest monotonic path (dynamic time warping). Here all windows of a batch go through it together, on the
model's device, token by token instead of cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from serve.tasks.transcription.whisper_torch.layers import attend, decode, keys_values, query

SMOOTHED_FRAMES = 7
_SORT = ((0, 5), (0, 3), (1, 6), (2, 4), (0, 1), (3, 5), (2, 6), (2, 3), (3, 6), (4, 5), (1, 4), (1, 3), (3, 4))
"""Exchanges that leave the median of seven values at index 3 (Devillard, "Fast median search", opt_med7)."""


@dataclass(frozen=True, slots=True)
class TokenTimes:
    """Encoder frames (of 20 ms) in which text tokens and the closing one begin; the text tokens' probabilities."""

    starts: list[int]
    probabilities: list[float]


@torch.inference_mode()
def token_times(
    model: Any,
    heads: Sequence[tuple[int, int]],
    encoded: Sequence[torch.Tensor],
    prompts: Sequence[Sequence[int]],
    texts: Sequence[Sequence[int]],
    frames: Sequence[int],
    *,
    end_of_text: int,
) -> list[TokenTimes]:
    """The times of each text. `encoded` has (frames, width) for each; `frames` says how many of them hold sound.

    `prompts` all have one length and end with the token that asks for a text without times.
    """
    sound = torch.stack(list(encoded))
    device = sound.device
    before = len(prompts[0])
    longest = before + max(map(len, texts)) + 1
    tokens = torch.full((len(texts), longest), end_of_text, dtype=torch.long)
    for row, prompt, text in zip(tokens, prompts, texts, strict=True):
        row[: before + len(text)] = torch.tensor([*prompt, *text])
    tokens = tokens.to(device)
    counts = torch.tensor([len(text) for text in texts], device=device)
    scores, chances = _attention(model, heads, sound, tokens, before, end_of_text)
    limits = torch.tensor(frames, device=device).clamp(max=sound.shape[1])
    weights = _smoothed(_normalised(scores, before + counts + 1, limits), limits).mean(1)
    # The row before each token looks for it; the last one looks for the end.
    starts = first_frames(-weights[:, before - 1 : -1], counts + 1, limits).tolist()
    given = chances.gather(-1, tokens[:, before:, None].clamp(max=end_of_text - 1))[..., 0].tolist()
    return [
        TokenTimes(start[: len(text) + 1], chance[: len(text)])
        for start, chance, text in zip(starts, given, texts, strict=True)
    ]


def _attention(
    model: Any,
    heads: Sequence[tuple[int, int]],
    encoded: torch.Tensor,
    tokens: torch.Tensor,
    before: int,
    end_of_text: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention scores (windows, alignment heads, tokens, frames), and chances (windows, text + 1, text vocabulary)."""
    length = tokens.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=tokens.device).tril()
    kept: dict[tuple[int, int], torch.Tensor] = {}

    def own(_: int, attention: Any, hidden: torch.Tensor) -> torch.Tensor:
        return attend(query(attention, hidden), *keys_values(attention, hidden), causal)

    def cross(index: int, attention: Any, hidden: torch.Tensor) -> torch.Tensor:
        queries = query(attention, hidden)
        keys, values = keys_values(attention, encoded)
        for layer, head in heads:
            if layer == index:
                kept[layer, head] = queries[:, head].float() @ keys[:, head].float().transpose(-1, -2)
        return attend(queries, keys, values)

    positions = torch.arange(length, device=tokens.device)
    hidden = decode(model.model.decoder, tokens, positions, own, cross)
    scores = model.proj_out(hidden[:, before - 1 : -1]).float()
    return torch.stack([kept[each] for each in heads], 1), scores[..., :end_of_text].softmax(-1)


def _normalised(scores: torch.Tensor, lengths: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
    """Softmax over the frames with sound, then mean 0 and deviation 1 over the tokens of each frame."""
    index = torch.arange(scores.shape[-1], device=scores.device)
    weights = scores.masked_fill(index >= frames[:, None, None, None], -torch.inf).softmax(-1)
    row = torch.arange(scores.shape[-2], device=scores.device)[:, None]
    is_token = row < lengths[:, None, None, None]
    count = lengths[:, None, None, None]
    mean = weights.masked_fill(~is_token, 0).sum(-2, keepdim=True) / count
    square = (weights - mean).square().masked_fill(~is_token, 0).sum(-2, keepdim=True) / count
    return (weights - mean) / square.sqrt().clamp(min=torch.finfo(weights.dtype).tiny)


def _smoothed(weights: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
    """The median of each frame and its neighbours; both ends of the sound are mirrored."""
    half = SMOOTHED_FRAMES // 2
    total = weights.shape[-1]
    index = torch.arange(-half, total + half, device=weights.device).abs()
    last = frames[:, None] - 1
    index = torch.where(index > last, 2 * last - index, index).clamp(0, total - 1)
    wide = weights.gather(-1, index[:, None, None].expand(*weights.shape[:-1], -1))
    return median_of_seven([wide[..., shift : shift + total] for shift in range(SMOOTHED_FRAMES)])


def median_of_seven(values: Sequence[torch.Tensor]) -> torch.Tensor:
    ordered = list(values)
    for low, high in _SORT:
        ordered[low], ordered[high] = (
            torch.minimum(ordered[low], ordered[high]),
            torch.maximum(ordered[low], ordered[high]),
        )
    return ordered[3]


def first_frames(cost: torch.Tensor, rows: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
    """The frame in which each row of the cheapest monotonic path begins; shape (windows, rows), on the processor.

    `cost` is (windows, rows, frames); a window uses its first `rows` and `frames` of them. The path starts in the first
    cell, ends in the last, and goes one frame, one row or both on with each step.

    Launching a kernel takes a GPU longer than a row does, so a row has four of them and the way back is walked by the
    processor.
    """
    cost = cost.double()
    windows, count, total = cost.shape
    sums = cost.cumsum(-1)
    skipped = sums - cost
    # Each row's cheapest sums, with a column before frame 0 in front. Row 0 is entered from there, which costs nothing.
    cheapest = torch.full((count + 1, windows, total + 1), torch.inf, dtype=sums.dtype, device=cost.device)
    cheapest[0, :, 0] = 0
    starts = torch.zeros(count, windows, total, dtype=torch.long, device=cost.device)
    for row in range(count):
        # A row costs what it was entered with, from above or from above and before, and all cells from there on.
        entered = torch.minimum(cheapest[row, :, 1:], cheapest[row, :, :-1])
        best, starts[row] = entered.sub_(skipped[:, row]).cummin(-1)
        torch.add(sums[:, row], best, out=cheapest[row + 1, :, 1:])
    is_diagonal = cheapest[:-1, :, :-1] < cheapest[:-1, :, 1:]
    before = (starts - is_diagonal.gather(-1, starts).long()).clamp_(min=0)
    return _walked_back(starts.cpu(), before.cpu(), rows.cpu(), frames.cpu())


def _walked_back(starts: torch.Tensor, before: torch.Tensor, rows: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
    """First frames (windows, rows) of the path that ends in each window's last cell.

    For a row that ends in a frame, `starts` has its first one and `before` the last one of the row above; both are
    (rows, windows, frames).
    """
    count, windows, _ = starts.shape
    window = torch.arange(windows)
    first = torch.zeros(windows, count, dtype=torch.long)
    end = frames - 1
    for row in range(count - 1, -1, -1):
        first[:, row] = starts[row, window, end]
        end = torch.where(row < rows, before[row, window, end], end)
    return first
