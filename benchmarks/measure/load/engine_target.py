"""The engine in this process behind the product's scheduler, as a replica runs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.target import Failed, Refused
from serve.core.engine import Engine
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.succession import LoadedEngine
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.task import SPEECH

SpeechEngine: TypeAlias = Engine[AudioWindow, WindowResult]


class EngineTarget:
    """Sends each clip as a file of its own, without client and Ray."""

    def __init__(self, loaded: LoadedEngine[SpeechEngine], options: DecodeOptions) -> None:
        self._loaded = loaded
        self._options = options

    async def transcribe(self, clip: Clip, number: int) -> None:
        try:
            await self._loaded.batcher.submit(clip.window(f"request-{number}", self._options))
        except EngineRefused as refused:
            raise refusal_of(refused) from None


@contextmanager
def scheduled(engine: SpeechEngine, limits: BatchLimits, options: DecodeOptions) -> Iterator[EngineTarget]:
    """A scheduler of its own over a loaded engine, which stays loaded."""
    loaded = LoadedEngine(SPEECH, engine, limits)
    try:
        yield EngineTarget(loaded, options)
    finally:
        loaded.batcher.close()


def refusal_of(refused: EngineRefused) -> Refused | Failed:
    """What the callers' rules know: no room now, or an error."""
    if refused.problem is EngineProblem.OVERLOADED:
        return Refused(refused.sentence, refused.retry_after_s)
    return Failed(refused.sentence)
