"""Times of words from the alignment model, for speech models that give none."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import structlog

from pipelines.flows.transcribe.windows import SpeechClient
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo, EngineRefused, WordTimes
from serve.tasks.alignment.messages import AlignedText, AlignedWord, TextWindow
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, Segment, WindowResult

log = structlog.get_logger(__name__)

LEAST_SCORE = 0.15
"""Below this mean probability of its letters, a text is not what is spoken, and the guess by its length is as good.

With the tiny model, texts that are spoken have 0.4 to 1.0, others 0.0 (median), and noise up to 0.09."""


class AlignmentClient(Protocol):
    """What is needed from the `Aligner` deployment. Refusals are raised as `EngineRefused`."""

    def submit(self, item: TextWindow) -> Future[AlignedText]: ...


class AlignedSpeech:
    """A speech client whose results have times of words, whatever its model gives."""

    def __init__(self, speech: SpeechClient, aligner: AlignmentClient) -> None:
        self._speech = speech
        self._aligner = aligner

    def describe(self) -> EngineInfo:
        return self._info

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._speech.detect(window)

    def submit(self, window: AudioWindow) -> Future[WindowResult]:
        spoken = self._speech.submit(window)
        engine = engine_for(self._speech_info, window.options.language, window.options.engine)
        if engine.word_times is not WordTimes.NONE:
            return spoken
        timed: Future[WindowResult] = Future()
        timed.add_done_callback(lambda each: spoken.cancel() if each.cancelled() else None)
        spoken.add_done_callback(lambda each: self._align(window, each, timed))
        return timed

    @cached_property
    def _speech_info(self) -> EngineInfo:
        return self._speech.describe()

    @cached_property
    def _info(self) -> EngineInfo:
        info = self._speech_info
        parts, others = (tuple(_timed(each) for each in engines) for engines in (info.by_language, info.others))
        return replace(_timed(info), by_language=parts, others=others)

    def _align(self, window: AudioWindow, spoken: Future[WindowResult], timed: Future[WindowResult]) -> None:
        """Whatever happens here, `timed` ends: a callback's exception reaches nobody."""
        if spoken.cancelled() or not timed.set_running_or_notify_cancel():
            return
        if (failure := spoken.exception()) is not None:
            timed.set_exception(failure)
            return
        result = spoken.result()
        words = tuple(word.text for segment in result.segments for word in segment.words)
        if not words:
            timed.set_result(result)
            return
        try:
            aligned = self._aligner.submit(TextWindow(window, words))
        except Exception as problem:
            timed.set_result(_untimed(result, problem))
            return
        aligned.add_done_callback(lambda each: timed.set_result(_with_times(result, each)))


def _timed(info: EngineInfo) -> EngineInfo:
    return replace(info, word_times=WordTimes.ALIGNER) if info.word_times is WordTimes.NONE else info


def _with_times(result: WindowResult, aligned: Future[AlignedText]) -> WindowResult:
    """The result with the aligned times; as it was where there are none."""
    try:
        words = aligned.result().words
        if not words or sum(word.score for word in words) / len(words) < LEAST_SCORE:
            return result
        left = iter(words)
        segments = tuple(_segment(segment, [next(left) for _ in segment.words]) for segment in result.segments)
    except Exception as problem:
        return _untimed(result, problem)
    return replace(result, segments=segments)


def _untimed(result: WindowResult, problem: Exception) -> WindowResult:
    """What was heard is worth more than its times."""
    log.warning("alignment.failed", window=result.index, failure=sentence_of(problem))
    return result


def sentence_of(problem: Exception) -> str:
    return problem.sentence if isinstance(problem, EngineRefused) else f"{type(problem).__name__}: {problem}"


def _segment(segment: Segment, times: list[AlignedWord]) -> Segment:
    if not times:
        return segment
    words = tuple(
        replace(word, start_ms=time.start_ms, end_ms=time.end_ms)
        for word, time in zip(segment.words, times, strict=True)
    )
    return replace(segment, start_ms=words[0].start_ms, end_ms=words[-1].end_ms, words=words)


@contextmanager
def alignment_client() -> Generator[AlignmentClient | None]:
    """The alignment model of the cluster; None where it has none."""
    # Imported here because they import Ray, which callers with clients of their own do not need.
    from ray.exceptions import RayError

    from serve.core.capability_store import published
    from serve.tasks.alignment.client import AlignerClient
    from serve.tasks.alignment.messages import ALIGNMENT

    try:
        capability = published(ALIGNMENT)
    except RayError as problem:
        log.warning("alignment.unknown", failure=sentence_of(problem))
        yield None
        return
    if capability.status is None or not capability.may_work:
        yield None
        return
    with closing(AlignerClient()) as aligner:
        yield aligner


@contextmanager
def aligned_speech(speech: SpeechClient) -> Generator[SpeechClient]:
    """The client with times of words, where the cluster has an alignment model; else the client as it is."""
    with alignment_client() as aligner:
        yield speech if aligner is None else AlignedSpeech(speech, aligner)
