"""The flow of kind `measure`: the times of words that people wrote, by the alignment model."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TypeAlias

import structlog

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from pipelines.captions.edits.unmeasured import UnmeasuredRun, unmeasured_runs, with_times
from pipelines.flows.transcribe.aligned import LEAST_SCORE, AlignmentClient, alignment_client, sentence_of
from pipelines.flows.transcribe.flow import NO_AUDIO
from pipelines.media.sound.pcm import NotTranscribable, PcmFile
from pipelines.media.sound.stored_sound import stored_sound
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.lines import CaptionWord
from pipelines.messages.measure import MeasureRequest, MeasureResult
from serve.core.messages import EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.transcription.messages import MAX_WINDOW_MS, AudioWindow

log = structlog.get_logger(__name__)

STAGE = "measure"
PHASE = "Measuring"
_CERTAIN = 1.0
_STREAM = "measure"
_IN_FLIGHT = 8
"""Windows at the model at once, each of at most 1 MB."""


@dataclass(frozen=True, slots=True)
class SpokenWords:
    """Words that are spoken between two times, some of them measured."""

    words: tuple[CaptionWord, ...]
    from_ms: int
    to_ms: int


Sent: TypeAlias = tuple[UnmeasuredRun, Future[AlignedText]]


def run(request: MeasureRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Measure the words of the lines. Without an alignment model, none."""
    with alignment_client() as aligner:
        if aligner is None:
            yield Result(MeasureResult())
        else:
            yield from measure(request, aligner=aligner, storage=open_storage(get_cluster_settings()))


def measure(
    request: MeasureRequest, *, aligner: AlignmentClient, storage: Storage
) -> Generator[Progress | Chunk | Result]:
    """Yield progress in lines, then the lines of which words were measured. Raises `StageFailed`."""
    total = len(request.lines)
    yield Progress(PHASE, 0, total, "lines")
    timed = []
    try:
        with stored_sound(storage, request.audio_key) as audio:
            parts = [SpokenWords(line.words, line.start_ms, line.end_ms) for line in request.lines]
            for done, (line, words) in enumerate(zip(request.lines, measured(parts, audio, aligner), strict=True), 1):
                if words != line.words:
                    timed.append(line.model_copy(update={"words": words}))
                yield Progress(PHASE, done, total, "lines")
    except (FileNotFoundError, NotTranscribable) as error:
        raise StageFailed(STAGE, NO_AUDIO, retryable=False) from error
    yield Result(MeasureResult(lines=tuple(timed)))


def measured(
    parts: Sequence[SpokenWords], audio: PcmFile, aligner: AlignmentClient
) -> Iterator[tuple[CaptionWord, ...]]:
    """The words of each part with measured times.

    Estimates stay where a run of them has more room than a window, is not spoken there, or the model fails.
    """
    waiting: deque[tuple[SpokenWords, list[Sent]]] = deque()
    in_flight: deque[Future[AlignedText]] = deque()
    for part in parts:
        sent: list[Sent] = []
        for run in unmeasured_runs(part.words, part.from_ms, min(part.to_ms, audio.duration_ms)):
            if run.to_ms - run.from_ms > MAX_WINDOW_MS:
                continue
            if len(in_flight) >= _IN_FLIGHT:
                wait([in_flight.popleft()])
            future = _submit(run, part, audio, aligner)
            in_flight.append(future)
            sent.append((run, future))
        waiting.append((part, sent))
        while waiting and all(future.done() for _, future in waiting[0][1]):
            yield _timed(*waiting.popleft())
    for part, sent in waiting:
        yield _timed(part, sent)


def _submit(run: UnmeasuredRun, part: SpokenWords, audio: PcmFile, aligner: AlignmentClient) -> Future[AlignedText]:
    window = AudioWindow(_STREAM, run.start, run.from_ms, audio.read(run.from_ms, run.to_ms))
    try:
        return aligner.submit(TextWindow(window, tuple(word.text for word in part.words[run.start : run.stop])))
    except (EngineRefused, ModelMissing) as problem:
        refusal: Future[AlignedText] = Future()
        refusal.set_exception(problem)
        return refusal


def _timed(part: SpokenWords, sent: Sequence[Sent]) -> tuple[CaptionWord, ...]:
    words = part.words
    for run, future in sent:
        try:
            aligned = future.result().words
        except (EngineRefused, ModelMissing) as problem:
            # The estimates that are left are worth more than no captions.
            log.warning("alignment.failed", failure=sentence_of(problem))
            continue
        scores = [word.score for word in aligned]
        if scores and sum(scores) / len(scores) >= LEAST_SCORE:
            words = with_times(words, run, [(word.start_ms, word.end_ms) for word in aligned], _CERTAIN)
    return words
