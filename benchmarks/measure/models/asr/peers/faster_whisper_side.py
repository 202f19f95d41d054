"""Bare faster-whisper, as its documentation shows it: one file after the other, or its batched pipeline."""

from __future__ import annotations

from itertools import chain
from typing import Any

from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord, milliseconds
from benchmarks.measure.models.child import Json, Loaded


def load(configuration: Json) -> Loaded:
    """`configuration` holds `model`, `device`, `compute_type`, `beam` and `batch` (0: not batched)."""
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    model = WhisperModel(
        configuration["model"], device=configuration["device"], compute_type=configuration["compute_type"]
    )
    batch = configuration["batch"]
    pipeline = BatchedInferencePipeline(model) if batch else model
    options: dict[str, Any] = {
        "beam_size": configuration["beam"],
        "word_timestamps": True,
        **({"batch_size": batch} if batch else {}),
    }

    def answer(request: Json) -> Json:
        segments, about = pipeline.transcribe(request["wav"], language=request["language"] or None, **options)
        words = chain.from_iterable(segment.words or () for segment in segments)
        spoken = tuple(
            SpokenWord(word.word.strip(), milliseconds(word.start), milliseconds(word.end), word.probability)
            for word in words
        )
        return SpeechAnswer(spoken, about.language).as_json()

    return Loaded(answer, {"engine": "faster-whisper", "model": configuration["model"]})
