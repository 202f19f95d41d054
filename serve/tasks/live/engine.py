"""What the `LiveTranscriber` deployment requires of an engine: it decodes utterances while they are spoken.

The state of an utterance lives in the replica that has its beginning. A caller whose replica has lost it sends the
utterance again from its beginning: requests can be repeated, so drain, succession and retries work as everywhere.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import structlog

from cluster.wording.message import Message
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.live.messages import LiveSound, LiveText

log = structlog.get_logger(__name__)

UtteranceT = TypeVar("UtteranceT")
LiveOutcome: TypeAlias = LiveText | EngineRefused

QUIET_S = 120.0
"""An utterance that gets no sound for this long has been given up by its caller."""
FULL_AGAIN_S = 2.0
DAMAGED = Message("live.damaged", "A piece of the live sound is damaged: it does not hold whole 16-bit samples.")
STATE_LOST = Message("live.state_lost", "The beginning of this utterance is not here. It is sent again.")
FULL = Message("live.full", "As many people speak live at this moment as this installation can follow.")


@dataclass(frozen=True, slots=True)
class Step(Generic[UtteranceT]):
    """The next sound of one utterance."""

    utterance: UtteranceT
    pcm: bytes
    is_last: bool


@dataclass(slots=True)
class _Held(Generic[UtteranceT]):
    utterance: UtteranceT
    samples: int
    used_at: float


class StreamingEngine(ABC, Generic[UtteranceT]):
    """A loaded model that reads sound as it arrives. An engine for a batcher: see `serve.core.engine.Engine`."""

    spare_workers = 0
    has_deadline = False
    gains_from_batches: bool = False

    def __init__(
        self, info: EngineInfo, *, parallel: int, max_utterances: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.info = info
        self.parallel = max(1, parallel)
        self._most = max_utterances
        self._now = now
        self._held: dict[str, _Held[UtteranceT]] = {}
        self._lock = threading.Lock()

    @abstractmethod
    def begin(self, sound: LiveSound) -> UtteranceT:
        """A new utterance. `sound` is its first, which `advance` gets next."""

    @abstractmethod
    def advance(self, steps: Sequence[Step[UtteranceT]]) -> Sequence[LiveText | EngineRefused]:
        """What each utterance says after its next sound, with times from the beginning of the utterance."""

    @abstractmethod
    def end(self, utterance: UtteranceT) -> None:
        """Forget an utterance."""

    @abstractmethod
    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        """Why the engine cannot decode this, such as a language it does not know."""

    def batch_key(self, item: LiveSound) -> Hashable:
        return None

    def run(self, batch: Sequence[LiveSound]) -> Sequence[LiveOutcome]:
        """Refuses with `LOST_STATE` what does not follow the sound that is here."""
        outcomes: list[LiveOutcome | None] = [self.refusal(sound) or _damage(sound) for sound in batch]
        steps: dict[int, Step[Any]] = {}
        for index, sound in enumerate(batch):
            if outcomes[index] is None:
                held = self._utterance(sound)
                if isinstance(held, EngineRefused):
                    outcomes[index] = held
                else:
                    steps[index] = Step(held, sound.pcm, sound.is_last)
        if steps:
            for index, found in zip(steps, self._advanced([batch[index] for index in steps], steps), strict=True):
                outcomes[index] = found
        return [outcome for outcome in outcomes if outcome is not None]

    def rest(self) -> None:
        """Forget utterances that nobody continues."""
        with self._lock:
            quiet = [stream for stream, held in self._held.items() if self._now() - held.used_at > QUIET_S]
        for stream in quiet:
            self._forget(stream)

    def close(self) -> None:
        for stream in list(self._held):
            self._forget(stream)

    def _utterance(self, sound: LiveSound) -> UtteranceT | EngineRefused:
        """The utterance that the sound belongs to, counted as continued by it."""
        if sound.offset == 0:
            self._forget(sound.stream)
        with self._lock:
            held = self._held.get(sound.stream)
            if held is None and sound.offset == 0:
                if len(self._held) >= self._most:
                    return EngineRefused(EngineProblem.OVERLOADED, FULL, FULL_AGAIN_S)
                held = self._held[sound.stream] = _Held(self.begin(sound), 0, self._now())
            if held is None or held.samples != sound.offset:
                return EngineRefused(EngineProblem.LOST_STATE, STATE_LOST)
            held.samples += len(sound.pcm) // 2
            held.used_at = self._now()
            return held.utterance

    def _advanced(self, sounds: Sequence[LiveSound], steps: dict[int, Step[UtteranceT]]) -> Sequence[LiveOutcome]:
        try:
            texts = self.advance(tuple(steps.values()))
        except Exception:
            # What was fed half cannot be fed again: the batcher tries each by itself, and each begins anew.
            for sound in sounds:
                self._forget(sound.stream)
            raise
        outcomes: list[LiveOutcome] = []
        for sound, text in zip(sounds, texts, strict=True):
            if sound.is_last or isinstance(text, EngineRefused):
                self._forget(sound.stream)
            outcomes.append(text if isinstance(text, EngineRefused) else _placed(text, sound.start_ms))
        return outcomes

    def _forget(self, stream: str) -> None:
        with self._lock:
            held = self._held.pop(stream, None)
        if held is not None:
            self.end(held.utterance)


def _damage(sound: LiveSound) -> EngineRefused | None:
    return EngineRefused(EngineProblem.BAD_INPUT, DAMAGED) if len(sound.pcm) % 2 else None


def _placed(text: LiveText, start_ms: int) -> LiveText:
    words = (replace(word, start_ms=start_ms + word.start_ms, end_ms=start_ms + word.end_ms) for word in text.words)
    return replace(text, words=tuple(words))
