"""The compared side: CTranslate2 and sentencepiece, without anything of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ctranslate2 import Translator
from sentencepiece import SentencePieceProcessor

from benchmarks.goals.translation.timing import Timing

BEAMS = 4


class Bare:
    """`translate_batch` as its documentation shows it, with our number of beams, hypotheses and attention."""

    def __init__(self, model: Path, *, calls: int, threads: int) -> None:
        """`calls` run side by side, each with `threads`."""
        self.timing = Timing()
        self._pieces = SentencePieceProcessor(model_file=str(model / "sentencepiece.bpe.model"))
        self._translator = Translator(str(model), device="cpu", inter_threads=calls, intra_threads=threads)

    def sorted_lines_per_second(self, lines: Sequence[str], *, batch_tokens: int) -> float:
        """All lines in one call, which sorts them by length and cuts them into batches of at most this many tokens."""
        with self.timing.measure(len(lines)):
            self._texts(self._call(lines, max_batch_size=batch_tokens, batch_type="tokens"))
        return self.timing.speeds[-1]

    def single_lines_per_second(self, lines: Sequence[str]) -> float:
        """A call for each line, one after the other."""
        with self.timing.measure(len(lines)):
            for line in lines:
                self._texts(self._call([line]))
        return self.timing.speeds[-1]

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
