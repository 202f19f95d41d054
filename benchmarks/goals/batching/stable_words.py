"""Goal 4: the adaptive context keeps the words. Measured with the tiny trained model on every clip it knows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.goals.batching.ours import Replica
from benchmarks.goals.report import Report
from serve.core.text.loops import has_loop
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions, WindowResult
from serve.testing.sound import Samples, Spoken, not_speech
from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_models.training.word_errors import word_error_rate

SPEEDS = (1.0, 0.8, 1.25)
"""Each clip also runs slower and faster, by plain resampling, which changes its pitch."""
NOISES = (0, 60, 300)
"""Standard deviations of added white noise, in 16-bit steps."""


def measure(report: Report, clips: list[Spoken], folder: Path) -> None:
    model = unpack(WHISPER, folder)
    variants = list(_variants(clips))
    rates, loops = {}, {}
    for adaptive in (False, True):
        results = _results(model, [(sound, spoken.language) for spoken, sound in variants], adaptive=adaptive)
        errors = [word_error_rate(spoken.text, _text(one)) for (spoken, _), one in zip(variants, results, strict=True)]
        words = [len(spoken.text.split()) for spoken, _ in variants]
        rates[adaptive] = 100 * float(np.average(errors, weights=words))
        other = _results(model, [(sound, None) for _, sound in not_speech(7.0)], adaptive=adaptive)
        everything = [*results, *other]
        loops[adaptive] = 1000 * sum(has_loop(_text(one).split()) for one in everything) / len(everything)
    report.goal("4-wer", rates[True] - rates[False], clips=len(variants), adaptive=rates[True], full=rates[False])
    report.goal("4-loops", loops[True], full=loops[False])


def _variants(clips: list[Spoken]) -> Iterator[tuple[Spoken, Samples]]:
    generator = np.random.default_rng(4)
    for clip in clips:
        for speed in SPEEDS:
            positions = np.arange(0, len(clip.samples) - 1, speed)
            resampled = np.interp(positions, np.arange(len(clip.samples)), clip.samples)
            for noise in NOISES:
                noisy = resampled + generator.normal(0, noise, len(resampled)) if noise else resampled
                yield clip, np.clip(noisy, -32_768, 32_767).astype(np.int16)


def _results(model: Path, sounds: Sequence[tuple[Samples, str | None]], *, adaptive: bool) -> list[WindowResult]:
    quiet = np.zeros(SAMPLE_RATE // 5, np.int16)
    windows = [
        AudioWindow(f"clip-{n}", 0, 0, np.concatenate([quiet, sound, quiet]).tobytes(), DecodeOptions(language))
        for n, (sound, language) in enumerate(sounds)
    ]
    return asyncio.run(Replica(model, adaptive=adaptive).transcribe(windows, max_batch=8))


def _text(result: WindowResult) -> str:
    return " ".join(segment.text for segment in result.segments)
