"""The most likely path of a text through the frames of a CTC model (Graves et al. 2006, "Connectionist Temporal
Classification"; forced alignment as in Kürzinger et al. 2020, "CTC-Segmentation of Large Corpora")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from serve.tasks.alignment.letters import ANY

BLANK_COST = 0.25
"""What a blank frame inside `ANY` costs: little beside a letter that nothing accounts for, which costs about 5."""


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """The frames of a token, the last one included, and its mean log probability there."""

    first: int
    last: int
    log_probability: float


def align(
    scores: NDArray[np.float32], tokens: Sequence[int], *, blank: int, apart: Sequence[int] = ()
) -> list[TokenSpan] | None:
    """The span of each token. `scores` are log probabilities, shape (frames, vocabulary).

    `ANY` takes whatever token is likeliest in a frame, except those `apart`; a blank counts a little less, so that it
    spans letters and ends with them. None where the sound has fewer frames than the text needs. Takes time and memory
    for frames × tokens.
    """
    if not tokens:
        return []
    needed = len(tokens) + sum(one == other for one, other in pairwise(tokens))
    if len(scores) < needed:
        return None
    emissions = _emissions(scores, tokens, blank, apart)
    path = _path(emissions, np.asarray(tokens))
    spans = []
    for index in range(len(tokens)):
        frames = np.flatnonzero(path == 2 * index + 1)
        likely = float(emissions[frames, 2 * index + 1].mean())
        spans.append(TokenSpan(int(frames[0]), int(frames[-1]), likely))
    return spans


def _emissions(
    scores: NDArray[np.float32], tokens: Sequence[int], blank: int, apart: Sequence[int]
) -> NDArray[np.float32]:
    """Log probabilities of each state, shape (frames, 2 × tokens + 1): blanks stand around all tokens."""
    spoken = scores.copy()
    spoken[:, blank] -= BLANK_COST
    spoken[:, list(apart)] = -np.inf
    likeliest = spoken.max(axis=1)
    emissions = np.repeat(scores[:, blank : blank + 1], 2 * len(tokens) + 1, axis=1)
    for index, token in enumerate(tokens):
        emissions[:, 2 * index + 1] = likeliest if token == ANY else scores[:, token]
    return emissions


def _path(emissions: NDArray[np.float32], tokens: NDArray[np.int64]) -> NDArray[np.int64]:
    """The state of each frame."""
    frames, states = emissions.shape
    # A blank between two tokens may be passed over, unless they are the same.
    may_skip = np.zeros(states, bool)
    may_skip[3::2] = tokens[1:] != tokens[:-1]
    best = np.full(states, -np.inf, np.float32)
    best[:2] = emissions[0, :2]
    came = np.zeros((frames, states), np.int8)
    for frame in range(1, frames):
        step = np.concatenate(([-np.inf], best[:-1]))
        skip = np.where(may_skip, np.concatenate(([-np.inf, -np.inf], best[:-2])), -np.inf)
        choices = np.stack((best, step, skip))
        came[frame] = choices.argmax(axis=0)
        best = choices.max(axis=0).astype(np.float32) + emissions[frame]
    state = states - 1 if best[-1] >= best[-2] else states - 2
    path = np.zeros(frames, np.int64)
    for frame in range(frames - 1, -1, -1):
        path[frame] = state
        state -= int(came[frame, state])
    return path
