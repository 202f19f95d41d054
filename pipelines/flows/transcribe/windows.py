"""Send the windows of one file through the model, a bounded number at a time, and take them as they finish.

Of each result only believable segments stay: models also transcribe silence, music and their own echo.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Protocol

from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.speech import SpeechWindow
from pipelines.messages.attempt import OVERLOADED, Attempt, StageFailed
from pipelines.messages.results import TranscribedWindow
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.transcription.doubts import is_hopeless
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, LanguageGuess, Segment, WindowResult

_YIELD_EVERY_S = 2.0

_RETRYABLE = frozenset({EngineProblem.OVERLOADED, EngineProblem.RESTARTING, EngineProblem.MODEL_FAILED})


class SpeechClient(Protocol):
    """What the flow needs from the `Transcriber` deployment.

    Refusals are raised as `EngineRefused`. The client, not the flow, waits for an overloaded model.
    """

    def describe(self) -> EngineInfo: ...

    def detect(self, window: AudioWindow, /) -> LanguageGuess: ...

    def submit(self, window: AudioWindow, /) -> Future[WindowResult]: ...


@dataclass(frozen=True, slots=True)
class DoneWindow:
    """A finished window. `covered_ms` is the audio it accounts for: its own and the silence before it."""

    key: str
    window: TranscribedWindow
    covered_ms: int
    is_new: bool


@dataclass(slots=True)
class _Sent:
    window: SpeechWindow
    covered_ms: int


def audio_window(window: SpeechWindow, audio: PcmFile, attempt: Attempt, options: DecodeOptions) -> AudioWindow:
    """The window with its samples, as the model takes it. The windows of a job are one stream for fairness."""
    pcm = audio.read(window.start_ms, window.end_ms)
    return AudioWindow(attempt.job_id, window.index, window.start_ms, pcm, options, window.cut_in_speech)


def finished_windows(
    windows: Iterator[SpeechWindow],
    audio: PcmFile,
    attempt: Attempt,
    client: SpeechClient,
    options: DecodeOptions,
    *,
    in_flight: int,
) -> Generator[DoneWindow | None]:
    """Yield windows as they finish, and None now and then while none does. Closing it cancels those in flight."""
    waiting: dict[Future[WindowResult], _Sent] = {}
    settled_ms = 0
    try:
        while True:
            while len(waiting) < in_flight and (window := next(windows, None)) is not None:
                covered_ms, settled_ms = window.end_ms - settled_ms, window.end_ms
                earlier = _finished_before(window, attempt)
                if earlier is not None:
                    yield DoneWindow(key_of(window), earlier, covered_ms, is_new=False)
                else:
                    future = client.submit(audio_window(window, audio, attempt, options))
                    waiting[future] = _Sent(window, covered_ms)
            if not waiting:
                return
            done, _ = wait(waiting, timeout=_YIELD_EVERY_S, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            # Hand over finished windows before a failure ends the attempt, so that the next attempt can skip them.
            for future in sorted(done, key=lambda future: future.exception() is not None):
                sent = waiting.pop(future)
                transcribed = _transcribed(sent.window, future.result(), options)
                yield DoneWindow(key_of(sent.window), transcribed, sent.covered_ms, is_new=True)
    finally:
        for future in waiting:
            future.cancel()


def refused(stage: str, error: EngineRefused) -> StageFailed:
    """The engine's refusal as the end of the attempt. Only temporary problems are retried.

    One that gives a time to retry after waits for as long as the overload lasts.
    """
    is_overload = error.problem is EngineProblem.OVERLOADED and error.retry_after_s is not None
    code = OVERLOADED if is_overload else ""
    return StageFailed(stage, error.sentence, retryable=error.problem in _RETRYABLE, code=code)


def key_of(window: SpeechWindow) -> str:
    return f"window-{window.index:06}"


def _finished_before(window: SpeechWindow, attempt: Attempt) -> TranscribedWindow | None:
    """The result of an earlier attempt for exactly this window."""
    chunk = attempt.chunks.get(key_of(window))
    earlier = TranscribedWindow.read(chunk) if chunk is not None else None
    if earlier is None or (earlier.start_ms, earlier.end_ms) != (window.start_ms, window.end_ms):
        return None
    return earlier


def _transcribed(window: SpeechWindow, result: WindowResult, options: DecodeOptions) -> TranscribedWindow:
    return TranscribedWindow(
        index=window.index,
        start_ms=window.start_ms,
        end_ms=window.end_ms,
        language=options.language or result.language,
        language_probability=result.language_probability,
        segments=_believable(window, result),
    )


def _believable(window: SpeechWindow, result: WindowResult) -> tuple[Segment, ...]:
    """The segments that overlap detected speech and are not hopeless. Doubtful ones stay, with their doubts."""
    return tuple(
        segment for segment in result.segments if not is_hopeless(segment.doubts) and _is_spoken(segment, window)
    )


def _is_spoken(segment: Segment, window: SpeechWindow) -> bool:
    end = max(segment.end_ms, segment.start_ms + 1)
    return any(segment.start_ms < until and since < end for since, until in window.speech)
