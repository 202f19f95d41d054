"""The compared side: CTranslate2 and sentencepiece, without anything of ours."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ctranslate2 import Translator
from sentencepiece import SentencePieceProcessor

BEAMS = 4


class Bare:
    """`translate_batch` as its documentation shows it, with our number of beams, hypotheses and attention."""

    def __init__(self, model: Path, *, calls: int, threads: int) -> None:
        """`calls` run side by side, each with `threads`."""
        self._pieces = SentencePieceProcessor(model_file=str(model / "sentencepiece.bpe.model"))
        self._translator = Translator(str(model), device="cpu", inter_threads=calls, intra_threads=threads)

    def sorted_lines_per_second(self, lines: Sequence[str], *, batch_tokens: int) -> float:
        """All lines in one call, which sorts them by length and cuts them into batches of at most this many tokens."""
        begun = time.perf_counter()
        self._texts(self._call(lines, max_batch_size=batch_tokens, batch_type="tokens"))
        return len(lines) / (time.perf_counter() - begun)

    def single_lines_per_second(self, lines: Sequence[str]) -> float:
        """A call for each line, one after the other."""
        begun = time.perf_counter()
        for line in lines:
            self._texts(self._call([line]))
        return len(lines) / (time.perf_counter() - begun)

    def tokens(self, line: str) -> int:
        """Target tokens of a line."""
        (result,) = self._call([line])
        return len(result.hypotheses[0])

    def close(self) -> None:
        self._translator.unload_model()

    def _call(self, lines: Sequence[str], **options: Any) -> list[Any]:
        sources = [["__en__", *self._pieces.encode(line, out_type=str), "</s>"] for line in lines]
        found: list[Any] = self._translator.translate_batch(
            sources,
            target_prefix=[["__is__"]] * len(sources),
            beam_size=BEAMS,
            num_hypotheses=BEAMS,
            return_scores=True,
            return_attention=True,
            **options,
        )
        return found

    def _texts(self, results: Sequence[Any]) -> list[str]:
        return [self._pieces.decode(result.hypotheses[0][1:]) for result in results]
