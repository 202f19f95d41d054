"""Aligns words with sound by a CTC model over letters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from serve.core.messages import EngineInfo, EngineRefused
from serve.core.models.onnx_session import open_session
from serve.tasks.alignment.choice import info_of
from serve.tasks.alignment.letters import Alphabet
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.alignment.times import word_times
from serve.tasks.alignment.viterbi import align
from serve.tasks.transcription.audio import samples
from serve.tasks.transcription.sherpa.decoding import SHORTEST_SAMPLES
from serve.tasks.transcription.sherpa.folder import SherpaFolder, tokens_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

AlignmentOutcome: TypeAlias = AlignedText | EngineRefused
"""The outcome of one window of a batch; a refusal does not affect its neighbours."""

BLANK = 0
"""Omnilingual's first token, `<s>`, is the blank of its CTC."""
VARIANCE_FLOOR = 1e-5


class CtcAligner:
    """One loaded model."""

    gains_from_batches = False
    has_deadline = False
    spare_workers = 0

    def __init__(self, model: SherpaFolder, *, reason: str, parallel: int = 1) -> None:
        """Raises UnusableModel, UnreadableModel or OSError."""
        self.parallel = max(1, parallel)
        self.info: EngineInfo = info_of(model, reason)
        self._alphabet = Alphabet({token: number for number, token in enumerate(tokens_of(model.files["tokens"]))})
        self._session: Any = open_session(model.files["model"])
        self._input = self._session.get_inputs()[0].name

    def batch_key(self, item: TextWindow) -> Hashable:
        return None

    def run(self, batch: Sequence[TextWindow]) -> list[AlignmentOutcome]:
        return [self._one(item) for item in batch]

    def rest(self) -> None:
        """Nothing is held that could be freed."""

    def close(self) -> None:
        """The model ends with the engine."""
        self._session = None

    def _one(self, item: TextWindow) -> AlignmentOutcome:
        window = item.window
        try:
            wave = samples(window)
        except EngineRefused as refused:
            return refused
        spelling = self._alphabet.spell(item.words)
        space = self._alphabet.space
        scores = self._scores(wave)
        spans = align(scores, spelling.tokens, blank=BLANK, apart=() if space is None else (space,))
        if not spans:
            return AlignedText(window.index, ())
        padded_ms = max(window.duration_ms, SHORTEST_SAMPLES // 16)
        words = word_times(
            spans,
            spelling,
            words=len(item.words),
            frame_ms=padded_ms / len(scores),
            start_ms=window.start_ms,
            end_ms=window.start_ms + window.duration_ms,
        )
        return AlignedText(window.index, words)

    def _scores(self, wave: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log probabilities of the tokens, shape (frames, vocabulary)."""
        padded = np.pad(wave, (0, max(0, SHORTEST_SAMPLES - len(wave))))
        level = (padded - padded.mean()) / np.sqrt(padded.var() + VARIANCE_FLOOR)
        (logits,) = self._session.run(None, {self._input: level[None].astype(np.float32)})
        shifted = logits[0] - logits[0].max(axis=1, keepdims=True)
        found: NDArray[np.float32] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return found
