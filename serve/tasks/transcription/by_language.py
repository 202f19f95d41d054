"""One engine made of several: some languages have an engine of their own, the rest share the default one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome

_NAMED = 3
"""An engine of more languages is described by their number."""


class ByLanguageEngine:
    """Sends each window to its language's engine. Where it is unknown, the default engine detects it first."""

    def __init__(
        self,
        default: TranscriptionEngine,
        special: Mapping[str, TranscriptionEngine],
        rest: TranscriptionEngine | None = None,
    ) -> None:
        """Several languages of `special` may have the same engine. `rest` takes what the default does not know."""
        self._default = default
        self._engines = [default]
        self._index: dict[str, int] = {}
        for language, engine in special.items():
            known = next((index for index, each in enumerate(self._engines) if each is engine and index), None)
            if known is None:
                known = len(self._engines)
                self._engines.append(engine)
            self._index[language] = known
        self._rest: int | None = None
        if rest is not None:
            self._rest = len(self._engines)
            self._engines.append(rest)
        self.parallel = default.parallel
        self.spare_workers = min(engine.spare_workers for engine in self._engines)
        self.gains_from_batches = any(engine.gains_from_batches for engine in self._engines)
        self.has_deadline = default.has_deadline

    @property
    def engines(self) -> Sequence[TranscriptionEngine]:
        """The default one first."""
        return self._engines

    @property
    def info(self) -> EngineInfo:
        default = self._default.info
        parts = tuple(
            replace(engine.info, languages=frozenset(self._languages_of(index)))
            for index, engine in enumerate(self._engines)
            if index
        )
        own = "; ".join(sorted(f"{_in_words(part)}: {PurePath(part.model).name}" for part in parts))
        return replace(
            default,
            model=f"{PurePath(default.model).name} ({own})",
            # Without a list the default engine takes every language.
            languages=default.languages | frozenset(self._index) if default.languages else default.languages,
            by_language=parts,
        )

    def batch_key(self, window: AudioWindow) -> Hashable:
        index = self._engine_of(window.options.language)
        return index, self._engines[index].batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        groups: dict[int, list[tuple[int, AudioWindow, float]]] = defaultdict(list)
        for index, window in enumerate(batch):
            try:
                language, probability = self._language(window)
            except EngineRefused as refused:
                outcomes[index] = refused
                continue
            if self._engine_of(language) and language != window.options.language:
                window = replace(window, options=replace(window.options, language=language))
            groups[self._engine_of(language)].append((index, window, probability))
        for chosen, members in groups.items():
            for (index, _, probability), outcome in zip(
                members, self._engines[chosen].run([window for _, window, _ in members]), strict=True
            ):
                is_detected = chosen and batch[index].options.language is None
                if is_detected and not isinstance(outcome, EngineRefused):
                    outcome = replace(outcome, language_probability=probability)
                outcomes[index] = outcome
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._default.detect(window)

    def rest(self) -> None:
        for engine in self._engines:
            engine.rest()

    def close(self) -> None:
        for engine in self._engines:
            engine.close()

    def _language(self, window: AudioWindow) -> tuple[str | None, float]:
        if window.options.language is not None:
            return window.options.language, 1.0
        candidates = self._default.detect(window).candidates
        return candidates[0] if candidates else (None, 0.0)

    def _engine_of(self, language: str | None) -> int:
        if language is None:
            return 0
        known = self._default.info.languages
        is_unknown = bool(known) and language not in known
        return self._index.get(language, self._rest if is_unknown and self._rest is not None else 0)

    def _languages_of(self, index: int) -> list[str]:
        return [language for language, chosen in self._index.items() if chosen == index]


def _in_words(part: EngineInfo) -> str:
    if not part.languages:
        return "others"
    return ", ".join(sorted(part.languages)) if len(part.languages) <= _NAMED else f"{len(part.languages)} languages"
