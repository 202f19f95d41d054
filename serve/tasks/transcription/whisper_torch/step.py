"""One decode step of all rows, with static key-value caches: no shape in it depends on what is decoded.

All state lives in tensors on the device that the step changes in place, so a step can be captured as a CUDA graph and
replayed. `Decoder` allocates them once for all slots; each step works on the slots below a size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from serve.tasks.transcription.whisper_torch.layers import attend, decode, keys_values, query
from serve.tasks.transcription.whisper_torch.rules import TokenRules

MASK_MULTIPLE = 8


@dataclass(frozen=True, slots=True)
class Marks:
    """Tokens with a meaning of their own. `languages` is empty for a model of English alone."""

    end_of_text: int
    no_speech: int
    timestamp_begin: int
    languages: tuple[int, ...]
    suppressed: tuple[int, ...]


class Decoder:
    """The model's decoder with room for rows in `slots` slots."""

    def __init__(self, model: Any, marks: Marks, slots: int) -> None:
        config = model.config
        self._decoder, self._project = model.model.decoder, model.proj_out
        self.marks = marks
        self.slots = slots
        self.positions = config.max_target_positions
        # The fused kinds of attention copy a mask whose rows are not a multiple of 8 in every call.
        self.frames = -(-config.max_source_positions // MASK_MULTIPLE) * MASK_MULTIPLE
        self.device, dtype = model.device, model.dtype
        heads = config.decoder_attention_heads
        layers, width = config.decoder_layers, config.d_model // heads
        make = {"device": self.device, "dtype": dtype}
        self._keys, self._values = (torch.zeros(layers, slots, heads, self.positions, width, **make) for _ in "kv")
        self._cross_keys, self._cross_values = (
            torch.zeros(layers, slots, heads, self.frames, width, **make) for _ in "kv"
        )
        # A slot without a row sees one frame of zeros: no value in a cache may become NaN.
        self._sees = torch.zeros(slots, 1, 1, self.frames, dtype=torch.bool, device=self.device)
        self._sees[..., 0] = True
        self.rules = TokenRules(
            vocabulary=config.vocab_size,
            end_of_text=marks.end_of_text,
            timestamp_begin=marks.timestamp_begin,
            suppressed=marks.suppressed,
            device=self.device,
        )
        self._languages = torch.tensor(marks.languages or (0,), device=self.device)
        self._indexes = torch.arange(max(slots, self.positions), device=self.device)
        whole = {"dtype": torch.long, "device": self.device}
        self.tokens = torch.zeros(slots, self.positions, **whole)
        self.position = torch.zeros(slots, **whole)
        self.start = torch.zeros(slots, **whole)
        self.prompt = torch.ones(slots, **whole)
        self.limit = torch.ones(slots, **whole)
        self.latest_time = torch.zeros(slots, **whole)
        self.is_active = torch.zeros(slots, dtype=torch.bool, device=self.device)
        self.detects = torch.zeros(slots, dtype=torch.bool, device=self.device)
        self.temperature = torch.zeros(slots, device=self.device)
        self.score = torch.zeros(slots, device=self.device)
        self.no_speech = torch.zeros(slots, device=self.device)
        self.languages = torch.zeros(slots, len(self._languages), device=self.device)

    def fill_cross(self, slots: torch.Tensor, encoded: torch.Tensor) -> None:
        """Keys and values of encoder outputs (rows, frames, width) for the rows of these slots."""
        frames = encoded.shape[1]
        for index, layer in enumerate(self._decoder.layers):
            keys, values = keys_values(layer.encoder_attn, encoded)
            self._cross_keys[index, slots, :, :frames] = keys
            self._cross_values[index, slots, :, :frames] = values
        self._sees[slots] = (torch.arange(self.frames, device=self.device) < frames)[None, None, None]

    def step(self, size: int, length: int, *, draws: bool) -> None:
        """Advance the active rows of the first `size` slots by one token; none is at `length` or beyond."""
        rows, position = self._indexes[:size], self.position[:size]
        is_active, tokens, prompt = self.is_active[:size], self.tokens[:size], self.prompt[:size]
        scores = self._scores(rows, position, size, length)
        self._note_start(scores, position, size)
        following = position + 1
        is_text = following >= prompt
        is_first = following == prompt
        last = tokens.gather(1, position[:, None])[:, 0]
        earlier = tokens.gather(1, (position - 1).clamp(min=0)[:, None])[:, 0]
        allowed = self.rules(
            scores,
            is_first=is_first,
            last=last,
            before_last=torch.where(position > prompt, earlier, last),
            latest_time=self.latest_time[:size],
        )
        chances = allowed.log_softmax(-1)
        drawn = chances
        if draws:
            noise = torch.empty_like(chances).exponential_().log_()
            drawn = chances - self.temperature[:size, None] * noise
        chosen = drawn.argmax(-1)
        given = tokens.gather(1, following.clamp(max=self.positions - 1)[:, None])[:, 0]
        if self.marks.languages:
            replaces = self.detects[:size] & (position == self.start[:size])
            given = torch.where(replaces, self._languages[self.languages[:size].argmax(-1)], given)
        token = torch.where(is_text, chosen, given)
        writes = is_active & is_text
        gained = chances.gather(1, chosen[:, None])[:, 0]
        self.score[:size].add_(torch.where(writes, gained, torch.zeros_like(gained)))
        is_time = writes & (token >= self.marks.timestamp_begin)
        self.latest_time[:size].copy_(torch.where(is_time, token, self.latest_time[:size]))
        target = following.clamp(max=self.positions - 1)[:, None]
        tokens.scatter_(1, target, torch.where(is_active, token, given)[:, None])
        position.copy_(torch.where(is_active, following, position))
        ends = writes & ((token == self.marks.end_of_text) | (following + 1 >= self.limit[:size]))
        is_active.logical_and_(~ends)

    def _scores(self, rows: torch.Tensor, position: torch.Tensor, size: int, length: int) -> torch.Tensor:
        """Float32 scores (rows, vocabulary) of the next token; writes this step's keys and values."""
        sees_own = (self._indexes[:length] <= position[:, None])[:, None, None]
        sees_sound = self._sees[:size]

        def own(index: int, attention: Any, hidden: torch.Tensor) -> torch.Tensor:
            key, value = keys_values(attention, hidden)
            keys, values = self._keys[index, :size], self._values[index, :size]
            keys[rows, :, position] = key[:, :, 0]
            values[rows, :, position] = value[:, :, 0]
            return attend(query(attention, hidden), keys[:, :, :length], values[:, :, :length], sees_own)

        def cross(index: int, attention: Any, hidden: torch.Tensor) -> torch.Tensor:
            keys, values = self._cross_keys[index, :size], self._cross_values[index, :size]
            return attend(query(attention, hidden), keys, values, sees_sound)

        fed = self.tokens[:size].gather(1, position[:, None])
        hidden = decode(self._decoder, fed, position[:, None], own, cross)
        return self._project(hidden[:, 0]).float()

    def _note_start(self, scores: torch.Tensor, position: torch.Tensor, size: int) -> None:
        """Keep what the model says at the start of the transcript: the chance of silence and of each language."""
        is_start = self.is_active[:size] & (position == self.start[:size])
        silence = scores[:, self.marks.no_speech] - scores.logsumexp(-1)
        self.no_speech[:size].copy_(torch.where(is_start, silence.exp(), self.no_speech[:size]))
        languages = scores[:, self._languages].softmax(-1)
        self.languages[:size].copy_(torch.where(is_start[:, None], languages, self.languages[:size]))
