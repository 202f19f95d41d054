"""Seq2seq models by CTranslate2."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from serve.core.models.model_memory import ModelMemory
from serve.core.models.processor import use_avx512
from serve.tasks.translation.seq2seq.form import END
from serve.tasks.translation.seq2seq.translator import Decoded, Search

if TYPE_CHECKING:
    from ctranslate2 import Translator

REPETITION_PENALTY = 2.0
NO_REPEAT = 4
"""Pieces that may not occur twice in a cautious search: short words may, phrases may not."""


class Ct2Decoder:
    """A model that is in memory only while in use, beside others in one bound."""

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        size_bytes: int,
        memory: ModelMemory,
        device: str,
        compute_type: str,
        parallel: int,
        batch_tokens: int,
    ) -> None:
        self._folder = folder
        self._name = name
        self._memory = memory
        self._device = device
        self._compute_type = compute_type
        self._parallel = parallel
        self._batch_tokens = batch_tokens
        self._translator: Translator | None = None
        self._loading = threading.Lock()
        self.size_bytes = size_bytes
        memory.add(name, self)

    @property
    def is_loaded(self) -> bool:
        return self._translator is not None and bool(self._translator.model_is_loaded)

    def load(self) -> None:
        with self._loading:
            if self._translator is not None:
                self._translator.load_model()
                return
            use_avx512()
            from ctranslate2 import Translator

            # One thread for each call and one call for each core: two threads in one call wait for each other.
            self._translator = Translator(
                str(self._folder),
                device=self._device,
                compute_type=self._compute_type,
                inter_threads=self._parallel,
                intra_threads=1,
            )

    def unload(self) -> None:
        if self._translator is not None:
            self._translator.unload_model()

    def decode(
        self, sources: Sequence[list[str]], prefixes: Sequence[list[str]], search: Search
    ) -> list[list[Decoded]]:
        with self._loaded():
            if self._translator is None:
                raise RuntimeError(f"The model {self._name} is not in memory.")
            cautious = (
                {"repetition_penalty": REPETITION_PENALTY, "no_repeat_ngram_size": NO_REPEAT}
                if search.is_cautious
                else {}
            )
            results = self._translator.translate_batch(
                list(sources),
                target_prefix=list(prefixes) if any(prefixes) else None,
                beam_size=search.hypotheses,
                num_hypotheses=search.hypotheses,
                max_decoding_length=search.max_tokens,
                max_batch_size=self._batch_tokens,
                batch_type="tokens",
                max_input_length=0,
                return_scores=True,
                return_attention=True,
                **cautious,
            )
        return [
            [
                _decoded(tokens, score, attention, prefix)
                for tokens, score, attention in zip(result.hypotheses, result.scores, result.attention, strict=True)
            ]
            for result, prefix in zip(results, prefixes, strict=True)
        ]

    def rest(self) -> None:
        self._memory.rest()

    def close(self) -> None:
        self.unload()

    def _loaded(self) -> AbstractContextManager[None]:
        return self._memory.using(self._name)


def _decoded(tokens: list[str], score: float, attention: list[list[float]], prefix: list[str]) -> Decoded:
    """CTranslate2 repeats the prefix in its result; attention has a row for each of its tokens."""
    rows = np.asarray(attention, np.float32)
    skipped = len(prefix) if tokens[: len(prefix)] == prefix else 0
    end = len(tokens) - (1 if tokens and tokens[-1] == END else 0)
    missing = len(tokens) - len(rows)
    return Decoded(tokens[skipped:end], score, rows[max(0, skipped - missing) : end - missing])
