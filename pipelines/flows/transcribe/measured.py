"""Measures the times of words by the alignment model, where they are estimates."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import structlog

from pipelines.captions.edits.unmeasured import UnmeasuredRun, unmeasured_runs, with_times
from pipelines.flows.transcribe.aligned import LEAST_SCORE, AlignmentClient, sentence_of
from pipelines.media.sound.pcm import PcmFile
from pipelines.messages.lines import CaptionWord
from serve.core.messages import EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.transcription.messages import MAX_WINDOW_MS, AudioWindow

log = structlog.get_logger(__name__)

_CERTAIN = 1.0
_STREAM = "measure"


def measured(words: Sequence[CaptionWord], audio: PcmFile, aligner: AlignmentClient) -> tuple[CaptionWord, ...]:
    """The words with measured times. Estimates stay where a run has more room than a window, or is not spoken there."""
    runs = [run for run in unmeasured_runs(words, 0, audio.duration_ms) if run.to_ms - run.from_ms <= MAX_WINDOW_MS]
    sent: list[tuple[UnmeasuredRun, Future[AlignedText]]] = []
    result = tuple(words)
    try:
        sent += [(run, _submit(run, words, audio, aligner)) for run in runs]
        for run, future in sent:
            aligned = future.result()
            scores = [word.score for word in aligned.words]
            if scores and sum(scores) / len(scores) >= LEAST_SCORE:
                result = with_times(result, run, [(word.start_ms, word.end_ms) for word in aligned.words], _CERTAIN)
    except (EngineRefused, ModelMissing) as problem:
        # The estimates that are left are worth more than no captions.
        log.warning("alignment.failed", failure=sentence_of(problem))
    return result


def _submit(
    run: UnmeasuredRun, words: Sequence[CaptionWord], audio: PcmFile, aligner: AlignmentClient
) -> Future[AlignedText]:
    window = AudioWindow(_STREAM, run.start, run.from_ms, audio.read(run.from_ms, run.to_ms))
    return aligner.submit(TextWindow(window, tuple(word.text for word in words[run.start : run.stop])))
