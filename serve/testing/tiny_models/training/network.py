"""The tiny Whisper: transformers' own weights, started near a solution and run with its attention in view.

A model this small learns to point at sound in minutes only because it starts with the right geometry: encoder heads
that look a fixed distance left and right, timestamps that are the encoder's position codes, and decoder heads that copy
the position they look at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as functional
from transformers import WhisperConfig, WhisperForConditionalGeneration

from serve.testing.tiny_models.tokenizer import TIMESTAMP_COUNT
from serve.testing.tiny_models.training.compact_vocabulary import UNKNOWN, CompactVocabulary
from serve.testing.tiny_models.training.features import MEL_BANDS

WIDTH = 80
LAYERS = 2
ENCODER_HEADS = 2
DECODER_HEADS = 4
ALIGNMENT_HEADS = 2
"""The first heads of the last decoder layer are taught to look at the token's sound; word times come from them."""

DECODER_POSITIONS = 448
ENCODER_SHIFTS = ((-5.0, 5.0), (-35.0, 35.0))
"""Where each encoder head of each layer looks first, in positions of 20 ms."""

ENCODER_FIRST_FREQUENCY = (0, 3)


def config_values() -> dict[str, object]:
    """The shape of the model, as keyword arguments of WhisperConfig."""
    return {
        "d_model": WIDTH,
        "encoder_layers": LAYERS,
        "decoder_layers": LAYERS,
        "encoder_attention_heads": ENCODER_HEADS,
        "decoder_attention_heads": DECODER_HEADS,
        "encoder_ffn_dim": 4 * WIDTH,
        "decoder_ffn_dim": 4 * WIDTH,
        "num_mel_bins": MEL_BANDS,
        "dropout": 0.0,
        "attention_dropout": 0.0,
        "activation_dropout": 0.0,
        "suppress_tokens": None,
        "begin_suppress_tokens": None,
    }


@dataclass(frozen=True, slots=True)
class ModelOutput:
    """decoded [B, L, WIDTH]; encoded [B, T, WIDTH]; log_attention [B, ALIGNMENT_HEADS, L, T]; positions [T, WIDTH]."""

    decoded: torch.Tensor
    encoded: torch.Tensor
    log_attention: torch.Tensor
    positions: torch.Tensor

    def in_full_precision(self) -> ModelOutput:
        return ModelOutput(self.decoded.float(), self.encoded.float(), self.log_attention.float(), self.positions)


class TinyWhisper(torch.nn.Module):  # type: ignore[misc]
    """Whisper over a compact vocabulary, and two throw-away readouts of the encoder that exist only for training."""

    def __init__(self, vocabulary: CompactVocabulary, frame_classes: int) -> None:
        super().__init__()
        size = len(vocabulary.token_ids)
        ids = {"pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0, "decoder_start_token_id": 0}
        self.whisper = WhisperForConditionalGeneration(WhisperConfig(vocab_size=size, **ids, **config_values()))
        self.frame_readout = torch.nn.Linear(WIDTH, frame_classes)
        self.position_readout = torch.nn.Linear(WIDTH, WIDTH)
        self.first_timestamp = vocabulary.first_timestamp
        self.unused_logit = vocabulary.unused_logit
        with torch.no_grad():
            self._start_embeddings()
            self._start_encoder_heads()
            self._start_alignment_heads()

    @property
    def embeddings(self) -> torch.Tensor:
        """[compact vocabulary, WIDTH], of input and output alike."""
        return self.whisper.proj_out.weight

    def learnt(self) -> list[torch.nn.Parameter]:
        """All parameters but the encoder's fixed position codes."""
        return [value for name, value in self.named_parameters() if "encoder.embed_positions" not in name]

    def forward(self, features: torch.Tensor, tokens: torch.Tensor, first_position: int) -> ModelOutput:
        """features [B, 80, 2T], tokens [B, L] compact ids (UNKNOWN embeds as zero)."""
        encoder = self.whisper.model.encoder
        hidden = functional.gelu(encoder.conv1(features))
        hidden = functional.gelu(encoder.conv2(hidden)).permute(0, 2, 1)
        positions = encoder.embed_positions.weight[first_position : first_position + hidden.shape[1]]
        hidden = hidden + positions
        for layer in encoder.layers:
            hidden = layer(hidden, None)
        encoded = encoder.layer_norm(hidden)
        decoded, log_attention = self._decode(encoded, tokens)
        return ModelOutput(decoded, encoded, log_attention, positions)

    def log_probabilities(self, decoded: torch.Tensor) -> torch.Tensor:
        """[N, WIDTH] to [N, compact vocabulary]: the log softmax over the *whole* vocabulary of the finished model."""
        logits = decoded @ self.embeddings.T
        unused = torch.full_like(logits[:, :1], self.unused_logit)
        return logits - torch.logsumexp(torch.cat([logits, unused], 1), 1, keepdim=True)

    def _decode(self, encoded: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        decoder = self.whisper.model.decoder
        known = (tokens != UNKNOWN)[..., None]
        hidden = decoder.embed_tokens(tokens.clamp(min=0)) * known
        hidden = hidden + decoder.embed_positions.weight[: tokens.shape[1]]
        log_attention = torch.empty(0)
        for layer in decoder.layers:
            own = layer.self_attn
            read = layer.self_attn_layer_norm(hidden)
            query, key, value = (_split(part(read)) for part in (own.q_proj, own.k_proj, own.v_proj))
            looked = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            hidden = hidden + own.out_proj(_join(looked))
            attention = layer.encoder_attn
            query = _split(attention.q_proj(layer.encoder_attn_layer_norm(hidden)))
            key, value = _split(attention.k_proj(encoded)), _split(attention.v_proj(encoded))
            if layer is decoder.layers[-1]:
                scores = (query.float() @ key.float().transpose(-1, -2)) / math.sqrt(query.shape[-1])
                log_weights = functional.log_softmax(scores, -1)
                log_attention = log_weights[:, :ALIGNMENT_HEADS]
                looked = log_weights.exp().to(value.dtype) @ value
            else:
                looked = functional.scaled_dot_product_attention(query, key, value)
            hidden = hidden + attention.out_proj(_join(looked))
            hidden = hidden + layer.fc2(functional.gelu(layer.fc1(layer.final_layer_norm(hidden))))
        return decoder.layer_norm(hidden), log_attention

    def _start_embeddings(self) -> None:
        self.embeddings.normal_(0, 0.1)
        first = self.first_timestamp
        self.embeddings[first : first + TIMESTAMP_COUNT] = position_codes(TIMESTAMP_COUNT) / math.sqrt(WIDTH / 2)
        self.whisper.model.decoder.embed_positions.weight.copy_(position_codes(DECODER_POSITIONS) * 0.3)

    def _start_encoder_heads(self) -> None:
        head_width = WIDTH // ENCODER_HEADS
        sharpness = 2.2 * math.sqrt(24 / head_width) * 1.1
        for layer, shifts, first in zip(
            self.whisper.model.encoder.layers, ENCODER_SHIFTS, ENCODER_FIRST_FREQUENCY, strict=True
        ):
            frequencies = range(first, first + head_width // 2)
            for head, shift in enumerate(shifts):
                rows = slice(head * head_width, (head + 1) * head_width)
                layer.self_attn.q_proj.weight[rows] = _shifted_positions(frequencies, sharpness, shift)
                layer.self_attn.k_proj.weight[rows] = _shifted_positions(frequencies, 1.0, 0.0)

    def _start_alignment_heads(self) -> None:
        attention = self.whisper.model.decoder.layers[-1].encoder_attn
        head_width = WIDTH // DECODER_HEADS
        half = WIDTH // 2
        for head in range(ALIGNMENT_HEADS):
            for index in range(head_width // 2):
                frequency = (index * ALIGNMENT_HEADS + head) * half // (head_width // 2 * ALIGNMENT_HEADS)
                for row, column in (
                    (head * head_width + 2 * index, frequency),
                    (head * head_width + 2 * index + 1, half + frequency),
                ):
                    attention.v_proj.weight[row] = functional.one_hot(torch.tensor(column), WIDTH).float()
                    attention.out_proj.weight[:, row] = 1.5 * attention.v_proj.weight[row]


def position_codes(count: int) -> torch.Tensor:
    """Whisper's encoder position codes [count, WIDTH]: sines, then cosines."""
    return torch.cat([turn(torch.arange(count)[:, None] * _frequencies()[None]) for turn in (torch.sin, torch.cos)], 1)


def _frequencies() -> torch.Tensor:
    half = WIDTH // 2
    return torch.exp(-math.log(10_000) / (half - 1) * torch.arange(half))


def _shifted_positions(frequencies: range, gain: float, shift: float) -> torch.Tensor:
    """[2 * frequencies, WIDTH]: reads the sine and cosine of each frequency as they are `shift` positions on."""
    half = WIDTH // 2
    rows = torch.zeros(2 * len(frequencies), WIDTH)
    for index, frequency in enumerate(frequencies):
        angle = float(_frequencies()[frequency]) * shift
        rows[2 * index, frequency] = rows[2 * index + 1, half + frequency] = gain * math.cos(angle)
        rows[2 * index, half + frequency] = gain * math.sin(angle)
        rows[2 * index + 1, frequency] = -gain * math.sin(angle)
    return rows


def _split(joined: torch.Tensor) -> torch.Tensor:
    """[B, N, WIDTH] to [B, heads, N, WIDTH / heads]."""
    return joined.view(*joined.shape[:2], DECODER_HEADS, -1).transpose(1, 2)


def _join(split: torch.Tensor) -> torch.Tensor:
    return split.transpose(1, 2).flatten(2)
