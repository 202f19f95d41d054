"""How an utterance is read while it is spoken: by an engine made for that, or by reading all of it again and again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pipelines.flows.transcribe.windows import SpeechClient
from pipelines.media.sound.pcm import BYTES_PER_SAMPLE, SAMPLES_PER_MS
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions

T = TypeVar("T")

AGAIN_AFTER_MS = 1_000
"""So much new sound is worth another reading of the whole utterance."""


class LiveClientLike(Protocol):
    """What the flow needs from the `LiveTranscriber` deployment. Refusals are raised as `EngineRefused`."""

    def submit(self, item: LiveSound, /) -> Future[LiveText]: ...


@dataclass(slots=True)
class Utterance:
    """What is known of an utterance. `sent` counts the samples of the last reading."""

    stream: str
    index: int
    start_ms: int
    pcm: bytearray = field(default_factory=bytearray)
    is_over: bool = False
    """Whether all of its sound is here."""
    sent: int = 0
    is_complete: bool = False
    """Whether the last reading had all of its sound."""

    @property
    def samples(self) -> int:
        return len(self.pcm) // BYTES_PER_SAMPLE

    @property
    def end_ms(self) -> int:
        return self.start_ms + self.samples // SAMPLES_PER_MS

    @property
    def sent_until_ms(self) -> int:
        return self.start_ms + self.sent // SAMPLES_PER_MS

    def window(self, options: DecodeOptions) -> AudioWindow:
        """All of it so far, for a model that takes windows."""
        return AudioWindow(self.stream, self.index, self.start_ms, bytes(self.pcm), options)


class Decoding(Protocol):
    """One reading after another of one utterance."""

    def wants(self, utterance: Utterance) -> bool:
        """Whether there is enough new sound for another reading."""
        ...

    def read(self, utterance: Utterance) -> Future[LiveText]:
        """Begin a reading of all sound so far, and count it as sent."""
        ...


class StreamedDecoding:
    """Sends each piece once, to an engine that keeps the state of the utterance."""

    def __init__(self, client: LiveClientLike, options: DecodeOptions) -> None:
        self._client = client
        self._options = options

    def wants(self, utterance: Utterance) -> bool:
        return utterance.samples > utterance.sent or (utterance.is_over and not utterance.is_complete)

    def read(self, utterance: Utterance) -> Future[LiveText]:
        pcm = bytes(utterance.pcm[utterance.sent * BYTES_PER_SAMPLE :])
        sound = LiveSound(utterance.stream, utterance.start_ms, utterance.sent, pcm, utterance.is_over, self._options)
        utterance.sent, utterance.is_complete = utterance.samples, utterance.is_over
        return self._client.submit(sound)


class RepeatedDecoding:
    """Reads the whole utterance again, by the model that transcribes files."""

    def __init__(self, client: SpeechClient, options: DecodeOptions) -> None:
        self._client = client
        self._options = options

    def wants(self, utterance: Utterance) -> bool:
        if utterance.is_over:
            return not utterance.is_complete
        return utterance.samples - utterance.sent >= AGAIN_AFTER_MS * SAMPLES_PER_MS

    def read(self, utterance: Utterance) -> Future[LiveText]:
        utterance.sent, utterance.is_complete = utterance.samples, utterance.is_over
        result = self._client.submit(utterance.window(self._options))
        return _then(result, lambda found: LiveText(tuple(word for each in found.segments for word in each.words)))


def _then(future: Future[T], make: Callable[[T], LiveText]) -> Future[LiveText]:
    made: Future[LiveText] = Future()

    def finish(done: Future[T]) -> None:
        if not made.set_running_or_notify_cancel():
            return
        if done.cancelled():
            made.set_exception(CancelledError())
        elif (failure := done.exception()) is not None:
            made.set_exception(failure)
        else:
            made.set_result(make(done.result()))

    future.add_done_callback(finish)
    return made
