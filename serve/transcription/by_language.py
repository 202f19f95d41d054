"""One engine made of several: some languages have their own Whisper model, the rest share the default engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from serve.messages import EngineRefused
from serve.speech_messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.transcription.engine import TranscriptionEngine, WindowOutcome


class ByLanguageEngine:
    """Sends each window to its language's engine. Where it is unknown, the default engine detects it first."""

    def __init__(self, default: TranscriptionEngine, special: Mapping[str, TranscriptionEngine]) -> None:
        self._default = default
        self._special = special
        self.parallel = default.parallel
        self.spare_workers = min(default.spare_workers, *(one.spare_workers for one in special.values()))
        self.gains_from_batches = default.gains_from_batches or any(one.gains_from_batches for one in special.values())
        own = "; ".join(
            f"{language}: {PurePath(engine.info.model).name}" for language, engine in sorted(special.items())
        )
        self.info = replace(
            default.info,
            model=f"{PurePath(default.info.model).name} ({own})",
            languages=default.info.languages | frozenset(special),
        )

    def batch_key(self, window: AudioWindow) -> Hashable:
        language = window.options.language
        if language is not None and language in self._special:
            return language, self._special[language].batch_key(window)
        return None, self._default.batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        groups: dict[str | None, list[tuple[int, AudioWindow, float]]] = defaultdict(list)
        for index, window in enumerate(batch):
            try:
                language, probability = self._language(window)
            except EngineRefused as refused:
                outcomes[index] = refused
                continue
            if language in self._special and language != window.options.language:
                window = replace(window, options=replace(window.options, language=language))
            groups[language if language in self._special else None].append((index, window, probability))
        for language, members in groups.items():
            engine = self._default if language is None else self._special[language]
            for (index, _, probability), outcome in zip(
                members, engine.run([window for _, window, _ in members]), strict=True
            ):
                is_detected = language is not None and batch[index].options.language is None
                if is_detected and not isinstance(outcome, EngineRefused):
                    outcome = replace(outcome, language_probability=probability)
                outcomes[index] = outcome
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._default.detect(window)

    def rest(self) -> None:
        for engine in (self._default, *self._special.values()):
            engine.rest()

    def close(self) -> None:
        for engine in (self._default, *self._special.values()):
            engine.close()

    def _language(self, window: AudioWindow) -> tuple[str | None, float]:
        if window.options.language is not None:
            return window.options.language, 1.0
        candidates = self._default.detect(window).candidates
        return candidates[0] if candidates else (None, 0.0)
