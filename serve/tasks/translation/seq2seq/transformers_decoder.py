"""Seq2seq models by transformers, from safetensors. The only place of translation that imports torch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from serve.core.models.model_memory import ModelMemory
from serve.tasks.translation.seq2seq.ct2 import NO_REPEAT, REPETITION_PENALTY
from serve.tasks.translation.seq2seq.translator import Decoded, Search

LENGTH_PENALTY = 1.0
"""Scores are means per token, as CTranslate2's."""


class TransformersDecoder:
    """A model of transformers that is in memory only while in use. One call runs at a time."""

    def __init__(
        self, folder: Path, *, name: str, size_bytes: int, memory: ModelMemory, device: str, batch_tokens: int
    ) -> None:
        self._folder = folder
        self._name = name
        self._memory = memory
        self._device = device
        self._batch_tokens = batch_tokens
        self._model: Any = None
        self._tokenizer: Any = None
        self._calls = threading.Lock()
        self.size_bytes = size_bytes
        memory.add(name, self)

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    def load(self) -> None:
        import torch
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        with self._calls:
            self._tokenizer = AutoTokenizer.from_pretrained(self._folder, local_files_only=True)
            model = AutoModelForSeq2SeqLM.from_pretrained(
                self._folder,
                local_files_only=True,
                dtype=torch.float16 if self._device == "cuda" else torch.float32,
                # The fused kinds of attention return no weights.
                attn_implementation="eager",
            )
            self._model = model.to(self._device).eval()

    def unload(self) -> None:
        with self._calls:
            self._model = self._tokenizer = None

    def decode(
        self, sources: Sequence[list[str]], prefixes: Sequence[list[str]], search: Search
    ) -> list[list[Decoded]]:
        with self._memory.using(self._name), self._calls:
            by_length = sorted(range(len(sources)), key=lambda index: len(sources[index]))
            found: list[list[Decoded]] = [[] for _ in sources]
            for group in _groups(by_length, [len(source) for source in sources], self._batch_tokens):
                decoded = self._decode([sources[i] for i in group], [prefixes[i] for i in group], search)
                for index, candidates in zip(group, decoded, strict=True):
                    found[index] = candidates
        return found

    def rest(self) -> None:
        self._memory.rest()

    def close(self) -> None:
        self.unload()

    def _decode(
        self, sources: Sequence[list[str]], prefixes: Sequence[list[str]], search: Search
    ) -> list[list[Decoded]]:
        import torch

        config = self._model.config
        pad, end, start = config.pad_token_id, config.eos_token_id, config.decoder_start_token_id
        tokens, mask = self._padded([self._ids(source) for source in sources], pad)
        before, _ = self._padded([[start, *self._ids(prefix)] for prefix in prefixes], pad)
        cautious = (
            {"repetition_penalty": REPETITION_PENALTY, "no_repeat_ngram_size": NO_REPEAT} if search.is_cautious else {}
        )
        with torch.inference_mode():
            sequences = self._model.generate(
                input_ids=tokens,
                attention_mask=mask,
                decoder_input_ids=before,
                num_beams=search.hypotheses,
                num_return_sequences=search.hypotheses,
                max_new_tokens=search.max_tokens,
                length_penalty=LENGTH_PENALTY,
                forced_bos_token_id=None,
                do_sample=False,
                **cautious,
            )
            # Beam search returns its attention step by step and beam by beam; one more pass gives it whole.
            answer = self._model(
                input_ids=tokens.repeat_interleave(search.hypotheses, 0),
                attention_mask=mask.repeat_interleave(search.hypotheses, 0),
                decoder_input_ids=sequences[:, :-1],
                output_attentions=True,
            )
            chances = torch.log_softmax(answer.logits.float(), -1).gather(-1, sequences[:, 1:, None])[..., 0]
            # The first head of the last layer, as CTranslate2's converters choose.
            attention = answer.cross_attentions[-1][:, 0].float().cpu().numpy()
        written, chances = sequences[:, 1:].cpu().numpy(), chances.cpu().numpy()
        skipped = before.shape[1] - 1
        flat = [
            self._decoded(written[row], chances[row], attention[row], skipped, pad, end) for row in range(len(written))
        ]
        size = search.hypotheses
        cut = [flat[index * size : (index + 1) * size] for index in range(len(sources))]
        return [
            [Decoded(each.tokens, each.log_probability, each.attention[:, : len(source)]) for each in candidates]
            for candidates, source in zip(cut, sources, strict=True)
        ]

    def _decoded(self, ids: Any, chances: Any, attention: Any, skipped: int, pad: int, end: int) -> Decoded:
        """A sequence without prefix, end and padding. Its score counts the end, as CTranslate2's does."""
        last = next((index for index in range(skipped, len(ids)) if ids[index] in (end, pad)), len(ids))
        scored = chances[skipped : last + 1]
        tokens = self._tokenizer.convert_ids_to_tokens(ids[skipped:last].tolist())
        return Decoded(tokens, float(np.mean(scored)) if len(scored) else 0.0, attention[skipped:last])

    def _ids(self, tokens: Sequence[str]) -> list[int]:
        ids: list[int] = self._tokenizer.convert_tokens_to_ids(list(tokens)) if tokens else []
        return ids

    def _padded(self, rows: Sequence[list[int]], pad: int) -> tuple[Any, Any]:
        """Token ids and their mask, both of shape (rows, longest)."""
        import torch

        longest = max(map(len, rows))
        tokens = torch.tensor([row + [pad] * (longest - len(row)) for row in rows], device=self._device)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=self._device)
        return tokens, mask


def _groups(order: Sequence[int], lengths: Sequence[int], most: int) -> list[list[int]]:
    """Indexes in this order, cut so that each group padded to its longest has at most `most` tokens."""
    groups: list[list[int]] = []
    for index in order:
        if groups and lengths[index] * (len(groups[-1]) + 1) <= most:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups
