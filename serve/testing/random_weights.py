"""Random weights for CTranslate2 models of true shapes, and how to make such a model write a given text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SURENESS = 30.0
"""Margin of the wanted token's score: its probability is near 1, and no token repeats."""


class Draw(Protocol):
    """Draws an array of this shape."""

    def __call__(self, *size: int, scale: float = 0.02) -> NDArray[np.float32]: ...


def cache_folder() -> Path:
    """The folder that keeps the models between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "sagascript" / "benchmarks"


def drawing(seed: int) -> Draw:
    """Normally distributed weights, the same for the same seed."""
    generator = np.random.default_rng(seed)

    def draw(*size: int, scale: float = 0.02) -> NDArray[np.float32]:
        return generator.standard_normal(size, dtype=np.float32) * np.float32(scale)

    return draw


def fill_attention(spec: Any, parts: tuple[int, ...], width: int, draw: Draw) -> None:
    """`parts` are how many projections each of its linear layers holds side by side."""
    fill_norm(spec.layer_norm, width)
    for linear, part in zip(spec.linear, parts, strict=True):
        fill_linear(linear, part * width, width, draw)


def fill_feed_forward(spec: Any, width: int, draw: Draw) -> None:
    fill_norm(spec.layer_norm, width)
    fill_linear(spec.linear_0, 4 * width, width, draw)
    fill_linear(spec.linear_1, width, 4 * width, draw)


def fill_linear(spec: Any, outputs: int, inputs: int, draw: Draw) -> None:
    spec.weight, spec.bias = draw(outputs, inputs), draw(outputs)


def fill_norm(spec: Any, width: int) -> None:
    spec.gamma, spec.beta = np.ones(width, np.float32), np.zeros(width, np.float32)


def teach(decoder: Any, script: list[int], draw: Draw) -> None:
    """Make each position of a decoder select its token of the script, and every later position the last one."""
    embeddings, positions = decoder.embeddings.weight, decoder.position_encodings.encodings
    width = embeddings.shape[1]
    direction = {token: np.sign(draw(width)) for token in dict.fromkeys(script)}
    for token, wanted in direction.items():
        embeddings[token] = SURENESS / width * wanted
    for position in range(len(positions)):
        positions[position] = direction[script[min(position, len(script) - 1)]]
    # The layers must not drown it out. Their cost does not depend on their weights.
    for layer in decoder.layer:
        for linear in (layer.self_attention.linear[-1], layer.attention.linear[-1], layer.ffn.linear_1):
            linear.weight *= np.float32(0.1)
            linear.bias *= np.float32(0.1)
