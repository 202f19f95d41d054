"""One live engine made of several, each for its own languages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cluster.wording.message import Wording
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.live.engine import Step, StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText

NOT_FOLLOWED = Wording("live.not_followed", "No model here follows live speech in the language “{language}”.")


@dataclass(frozen=True, slots=True)
class _Routed:
    """An utterance of one of the engines."""

    index: int
    utterance: Any


class LiveByLanguage(StreamingEngine[_Routed]):
    """Holds the utterances; the engines only decode them. The first one takes sound of no stated language."""

    def __init__(self, engines: Sequence[StreamingEngine[Any]], *, max_utterances: int) -> None:
        """The languages of their records must not overlap."""
        first, *others = (engine.info for engine in engines)
        languages = frozenset[str]().union(*(engine.info.languages for engine in engines))
        info: EngineInfo = replace(first, languages=languages, by_language=tuple(others))
        super().__init__(info, parallel=max(each.parallel for each in engines), max_utterances=max_utterances)
        self._engines = list(engines)
        self._index = {code: at for at, engine in enumerate(engines) for code in engine.info.languages}
        self.gains_from_batches = any(engine.gains_from_batches for engine in engines)

    def batch_key(self, item: LiveSound) -> Hashable:
        return self._index_of(item)

    def begin(self, sound: LiveSound) -> _Routed:
        index = self._index_of(sound)
        return _Routed(index, self._engines[index].begin(sound))

    def advance(self, steps: Sequence[Step[_Routed]]) -> list[LiveText | EngineRefused]:
        outcomes: dict[int, LiveText | EngineRefused] = {}
        for chosen, engine in enumerate(self._engines):
            places = [at for at, step in enumerate(steps) if step.utterance.index == chosen]
            own = [replace(steps[at], utterance=steps[at].utterance.utterance) for at in places]
            outcomes |= dict(zip(places, engine.advance(own) if own else (), strict=True))
        return [outcomes[at] for at in range(len(steps))]

    def end(self, utterance: _Routed) -> None:
        self._engines[utterance.index].end(utterance.utterance)

    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        language = sound.options.language
        if language is not None and language not in self._index:
            return EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, NOT_FOLLOWED(language=language))
        return self._engines[self._index_of(sound)].refusal(sound)

    def close(self) -> None:
        super().close()
        for engine in self._engines:
            engine.close()

    def _index_of(self, sound: LiveSound) -> int:
        return self._index.get(sound.options.language or "", 0)
