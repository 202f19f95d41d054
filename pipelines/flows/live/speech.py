"""The speech of one recording: utterances in order, their words while they are spoken, and their final reading.

Words appear from the live decoding and become final by agreement. After a pause the model that transcribes files reads
the whole utterance, and what it reads is the passage that becomes lines.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import structlog

from pipelines.flows.live.decoding import Decoding, Utterance
from pipelines.flows.live.stable import StableWords
from pipelines.flows.transcribe.windows import SpeechClient
from pipelines.media.sound.utterances import UtteranceSound
from pipelines.messages.attempt import Chunk, Interim
from pipelines.messages.live import LiveOutlook, LiveWords, passage_key, words_key
from pipelines.messages.results import TranscribedWindow
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.live.messages import LiveText
from serve.tasks.transcription.doubts import is_hopeless
from serve.tasks.transcription.messages import DecodeOptions, Segment, WindowResult, Word

log = structlog.get_logger(__name__)

TRIES = 3
"""So often an utterance is read anew after its engine failed. Then its words come from the final reading."""
RETRY_S = 1.0
MOST_WAITING = 8
"""Utterances that wait for a model: at most 7 MB of sound."""
SETTLED_EVERY_MS = 5_000
"""So often a silence that goes on is handed over as read."""
SETTLED_LEAST_MS = 500
"""And at least so much of it, where no more sound comes."""
OUTLOOK_CHARS = 600
"""The most of what may still change that is shown: an event holds 10 kB."""


@dataclass(frozen=True, slots=True)
class Before:
    """What earlier attempts have handed over: groups of final words, passages, and until where each reach."""

    words: int = 0
    passages: int = 0
    with_text: int = 0
    """Passages in which something was said."""
    final_until_ms: int = 0
    read_until_ms: int = 0


NOTHING = Before()


@dataclass(slots=True)
class _Reading:
    """An utterance that is over, and its final reading."""

    utterance: Utterance
    heard: tuple[Word, ...]
    """Its words by the live decoding, for the case that the final reading fails."""
    result: Future[WindowResult]


class LiveSpeech:
    """Give it sound and call `step` often; it never waits."""

    def __init__(
        self,
        stream: str,
        decoding: Decoding,
        client: SpeechClient,
        options: DecodeOptions,
        before: Before = NOTHING,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.with_text = before.with_text
        """Passages in which something was said."""
        self._passages = before.passages
        self._stream = stream
        self._decoding = decoding
        self._client = client
        self._options = options
        self._words = before.words
        self._index = before.passages
        self._read_until_ms = before.read_until_ms
        self._stable = StableWords(before.final_until_ms)
        self._now = now
        self._utterances: deque[Utterance] = deque()
        self._pending: Future[LiveText] | None = None
        self._readings: deque[_Reading] = deque()
        self._heard: list[Word] = []
        self._failures = 0
        self._rests_until = 0.0
        self._outlook = ""

    def add(self, sounds: Sequence[UtteranceSound]) -> None:
        for sound in sounds:
            if sound.begins:
                self._utterances.append(Utterance(self._stream, self._index, sound.start_ms))
                self._index += 1
            utterance = self._utterances[-1]
            utterance.pcm += sound.pcm
            utterance.is_over = sound.ends

    @property
    def is_idle(self) -> bool:
        """Whether everything that was given has been read."""
        return not self._utterances and not self._readings

    @property
    def is_behind(self) -> bool:
        """Whether so much waits for the models that more sound would only fill the memory. The journal keeps it."""
        return len(self._utterances) + len(self._readings) >= MOST_WAITING

    @property
    def waits_for(self) -> list[Future[object]]:
        """What a caller with nothing else to do may wait for."""
        waiting: list[Future[object]] = [] if self._pending is None else [self._pending]  # type: ignore[list-item]
        return waiting + [reading.result for reading in self._readings]  # type: ignore[misc]

    def step(self) -> Iterator[Chunk | Interim]:
        """What is new since the last step. Raises EngineRefused when neither engine reads an utterance."""
        yield from self._take_reading()
        yield from self._take_passages()
        if self._pending is None and self._utterances and self._now() >= self._rests_until:
            utterance = self._utterances[0]
            if self._decoding.wants(utterance):
                self._pending = self._decoding.read(utterance)

    def settle(self, until_ms: int, *, is_last: bool) -> Iterator[Chunk]:
        """Hand over a silence as read, until there. `is_last`: no more sound comes for now.

        Who waits for the words of a time then knows that there are none, and another attempt begins behind it.
        """
        silence_ms = until_ms - self._read_until_ms
        if self.is_idle and silence_ms >= (SETTLED_LEAST_MS if is_last else SETTLED_EVERY_MS):
            yield self._passage(self._read_until_ms, until_ms, ())

    def close(self) -> None:
        for future in self.waits_for:
            future.cancel()

    def _take_reading(self) -> Iterator[Chunk | Interim]:
        if self._pending is None or not self._pending.done():
            return
        pending, self._pending = self._pending, None
        utterance = self._utterances[0]
        try:
            text = pending.result()
        except EngineRefused as refused:
            if not self._gives_up(utterance, refused):
                return
            text = LiveText(())
        self._failures = 0
        final, open_words = self._stable.update(text, utterance.sent_until_ms, is_complete=utterance.is_complete)
        if final:
            self._heard += final
            yield Chunk(words_key(self._words), self._group(utterance, final, text.replica))
            self._words += 1
        yield from self._shown(open_words, is_new=bool(final))
        if utterance.is_complete:
            self._utterances.popleft()
            result = self._client.submit(utterance.window(self._options))
            self._readings.append(_Reading(utterance, tuple(self._heard), result))
            self._heard = []

    def _shown(self, words: Sequence[Word], *, is_new: bool) -> Iterator[Interim]:
        text = " ".join(word.text for word in words)[-OUTLOOK_CHARS:]
        if text != self._outlook or is_new:
            self._outlook = text
            yield Interim(LiveOutlook(text=text, final=self._words))

    def _gives_up(self, utterance: Utterance, refused: EngineRefused) -> bool:
        """After a refusal: whether the utterance goes on without live words. Else it is read from its beginning."""
        utterance.sent, utterance.is_complete = 0, False
        if refused.problem is EngineProblem.LOST_STATE:
            return False
        self._failures += 1
        self._rests_until = self._now() + (refused.retry_after_s or RETRY_S)
        log.warning("live.not_read", stream=self._stream, problem=refused.problem, failures=self._failures)
        if self._failures < TRIES or not utterance.is_over:
            return False
        utterance.sent, utterance.is_complete = utterance.samples, True
        return True

    def _take_passages(self) -> Iterator[Chunk | Interim]:
        while self._readings and self._readings[0].result.done():
            reading = self._readings.popleft()
            segments = _segments(reading, self._options.language or "")
            if not reading.heard:
                yield from self._read_words(reading.utterance, segments)
            yield self._passage(reading.utterance.start_ms, reading.utterance.end_ms, segments)

    def _read_words(self, utterance: Utterance, segments: Sequence[Segment]) -> Iterator[Chunk | Interim]:
        """Words that the final reading alone found, for everybody who follows words; none behind later ones."""
        words = tuple(word for segment in segments for word in segment.words)
        if words and self._stable.final_until_ms <= utterance.start_ms:
            self._stable.final_until_ms = words[-1].end_ms
            yield Chunk(words_key(self._words), self._group(utterance, words, ""))
            self._words += 1
            yield Interim(LiveOutlook(text=self._outlook, final=self._words))

    def _passage(self, start_ms: int, end_ms: int, segments: tuple[Segment, ...]) -> Chunk:
        passage = TranscribedWindow(
            index=self._passages,
            start_ms=start_ms,
            end_ms=end_ms,
            language=segments[0].language or None if segments else None,
            language_probability=1.0,
            segments=segments,
        )
        self._passages += 1
        self._read_until_ms = end_ms
        self.with_text += bool(segments)
        return Chunk(passage_key(passage.index), passage)

    def _group(self, utterance: Utterance, words: tuple[Word, ...], replica: str) -> LiveWords:
        return LiveWords(index=self._words, words=words, begins_ms=utterance.start_ms, replica=replica)


def _segments(reading: _Reading, language: str) -> tuple[Segment, ...]:
    """What the final reading found; what was heard live where it failed. Raises EngineRefused without either."""
    try:
        found = reading.result.result().segments
    except EngineRefused as refused:
        if not reading.heard:
            raise
        log.warning("live.no_final_reading", stream=reading.utterance.stream, problem=refused.problem)
        text = " ".join(word.text for word in reading.heard)
        return (Segment(reading.heard[0].start_ms, reading.heard[-1].end_ms, text, reading.heard, language),)
    return tuple(segment for segment in found if not is_hopeless(segment.doubts))
