"""Whisper's encoder and decoder, run with the library's modules and our own attention caches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import torch
import torch.nn.functional as functional

Attend: TypeAlias = Callable[[int, Any, torch.Tensor], torch.Tensor]
"""Called with a layer's index, its attention module and its input (rows, tokens, width); returns the like."""


def encode(encoder: Any, mel: torch.Tensor) -> torch.Tensor:
    """Spectrum (windows, bands, 2 * frames) of any length up to the model's own to output (windows, frames, width)."""
    hidden = functional.gelu(encoder.conv1(mel))
    hidden = functional.gelu(encoder.conv2(hidden)).transpose(1, 2)
    hidden = hidden + encoder.embed_positions.weight[: hidden.shape[1]]
    for layer in encoder.layers:
        hidden = layer(hidden, None)
    return encoder.layer_norm(hidden)


def decode(decoder: Any, tokens: torch.Tensor, positions: torch.Tensor, own: Attend, cross: Attend) -> torch.Tensor:
    """Tokens (rows, tokens) at positions of the same shape, or of one row, to output (rows, tokens, width)."""
    hidden = decoder.embed_tokens(tokens) + decoder.embed_positions.weight[positions]
    for index, layer in enumerate(decoder.layers):
        hidden = hidden + layer.self_attn.out_proj(own(index, layer.self_attn, layer.self_attn_layer_norm(hidden)))
        read = layer.encoder_attn_layer_norm(hidden)
        hidden = hidden + layer.encoder_attn.out_proj(cross(index, layer.encoder_attn, read))
        hidden = hidden + layer.fc2(layer.activation_fn(layer.fc1(layer.final_layer_norm(hidden))))
    return decoder.layer_norm(hidden)


def query(attention: Any, hidden: torch.Tensor) -> torch.Tensor:
    """(rows, tokens, width) to scaled queries (rows, heads, tokens, head width)."""
    return split(attention.q_proj(hidden) * attention.scaling, attention.num_heads)


def keys_values(attention: Any, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(rows, tokens, width) to keys and values (rows, heads, tokens, head width)."""
    heads = attention.num_heads
    return split(attention.k_proj(hidden), heads), split(attention.v_proj(hidden), heads)


def attend(
    queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Attention of scaled queries, joined to (rows, tokens, width)."""
    return join(functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, scale=1.0))


def split(joined: torch.Tensor, heads: int) -> torch.Tensor:
    return joined.unflatten(-1, (heads, -1)).transpose(1, 2)


def join(parts: torch.Tensor) -> torch.Tensor:
    return parts.transpose(1, 2).flatten(2)
