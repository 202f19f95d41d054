"""A model of any of sherpa-onnx's families on the CPU, without torch."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from cluster.privacy import keep_private
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.audio import frame_levels, is_silent, samples
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.sentences import UNDETECTED, UNSUPPORTED
from serve.tasks.transcription.sherpa.bias import with_terms
from serve.tasks.transcription.sherpa.decoding import decoded
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.problems import FAILS, UnusableModel
from serve.tasks.transcription.sherpa.trial import try_model
from serve.tasks.transcription.sherpa.words import (
    ScoredWord,
    pieces_of,
    segments_of,
    words_of,
    words_without_times,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from serve.tasks.transcription.engine import WindowOutcome

log = structlog.get_logger(__name__)

SHARED_MS = 10_000
"""A call lasts as long as its longest window, so windows share one only with others of nearly their length."""


class SherpaEngine:
    """One loaded model."""

    has_deadline = False
    spare_workers = 1

    def __init__(self, family: Family, folder: Path, *, name: str, reason: str, parallel: int = 1) -> None:
        """Raises UnusableModel for files that the runtime does not take, which is tried in another process first."""
        keep_private()
        self._family = family
        self._model = family.open(folder)
        family.check(self._model)
        try_model(family.name, folder)
        self.gains_from_batches = family.is_batched
        # One thread for each model call and one call for each core, as with Whisper.
        self.parallel = 1 if family.one_at_a_time else max(1, parallel)
        self._threads = max(1, parallel) if family.one_at_a_time else 1
        self._alone: AbstractContextManager[Any] = threading.Lock() if family.one_at_a_time else nullcontext()
        self._loading = threading.Lock()
        self._biased: Any = None
        try:
            self._recognizer: Any = family.recognizer(self._model, self._threads)
        except RuntimeError as failure:
            raise UnusableModel(FAILS(failure=str(failure))) from failure
        self._info = family.info(self._model, name, reason)

    @property
    def info(self) -> EngineInfo:
        return self._info

    def explain(self, reason: str) -> None:
        """Give another reason why it is used."""
        self._info = replace(self._info, reason=reason)

    def batch_key(self, window: AudioWindow) -> Hashable:
        length = window.duration_ms // SHARED_MS
        return (length, window.options.language) if self._family.one_at_a_time else length

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        sounds: list[tuple[int, AudioWindow, NDArray[np.float32], NDArray[np.float32]]] = []
        for index, window in enumerate(batch):
            try:
                chosen = replace(window, options=replace(window.options, language=self._language(window)))
                wave = samples(window)
            except EngineRefused as refused:
                outcomes[index] = refused
                continue
            levels = frame_levels(wave)
            if is_silent(levels):
                outcomes[index] = WindowResult(window.index, (), chosen.options.language or "", 1.0)
            else:
                sounds.append((index, chosen, wave, levels))
        results = self._decoded([(window, wave) for _, window, wave, _ in sounds])
        for (index, window, wave, levels), result in zip(sounds, results, strict=True):
            words = self._words(result, window, levels)
            words = self._with_terms(words, window, wave, levels)
            named = window.options.language
            language = named or self._family.language_of(result)
            segments = segments_of(words, window, language, levels=levels)
            outcomes[index] = WindowResult(window.index, segments, language, 1.0 if named else 0.0)
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """The language it detects, or its only one, with probability 0. Raises EngineRefused where it does neither."""
        wave = samples(window)
        if not self._family.detects_language:
            return LanguageGuess(((self._only_language(), 0.0),))
        (result,) = self._decoded([(window, wave)])
        language = self._family.language_of(result)
        return LanguageGuess(((language, 0.0),) if language in self.info.languages else ())

    def rest(self) -> None:
        """Nothing is held that could be freed."""

    def close(self) -> None:
        """The model ends with the engine."""
        self._recognizer = self._biased = None

    def _language(self, window: AudioWindow) -> str | None:
        language, known = window.options.language, self.info.languages
        if language is None:
            return self._only_language() if self._family.needs_language else None
        if known and language not in known:
            raise EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, UNSUPPORTED(model=self.info.model, language=language))
        return language

    def _only_language(self) -> str:
        if len(self.info.languages) != 1:
            raise EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, UNDETECTED(model=self.info.model))
        return next(iter(self.info.languages))

    def _decoded(self, sounds: Sequence[tuple[AudioWindow, NDArray[np.float32]]]) -> list[Any]:
        with self._alone:
            streams = [self._family.stream(self._recognizer, self._model, window) for window, _ in sounds]
            return decoded(self._recognizer, streams, [wave for _, wave in sounds])

    def _words(self, result: Any, window: AudioWindow, levels: NDArray[np.float32]) -> list[ScoredWord]:
        if self.info.word_times is WordTimes.NONE:
            return words_without_times(result.text, window, levels)
        pieces = pieces_of(result.tokens, result.timestamps, result.durations, result.ys_log_probs)
        return words_of(pieces, start_ms=window.start_ms, duration_ms=window.duration_ms)

    def _with_terms(
        self, words: list[ScoredWord], window: AudioWindow, wave: NDArray[np.float32], levels: NDArray[np.float32]
    ) -> list[ScoredWord]:
        """The words as a search with the window's terms finds them, where the family has such a search."""
        if not (words and window.options.terms and self.info.takes_vocabulary):
            return words
        recognizer = self._hearing_terms()
        if recognizer is None:
            return words
        stream = self._family.biased_stream(recognizer, self._model, window)
        if stream is None:
            return words
        (result,) = decoded(recognizer, [stream], [wave])
        return with_terms(words, self._words(result, window, levels), window.options.terms)

    def _hearing_terms(self) -> Any:
        """Loaded with the first terms: it takes as much memory again."""
        with self._loading:
            if self._biased is None:
                self._biased = self._family.biased(self._model, self._threads) or False
                log.info("engine.terms_loaded", model=self.info.model, has_search=bool(self._biased))
            return self._biased or None
