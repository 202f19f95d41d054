"""Goal 1: a long file through client, Ray Serve, scheduler and engine, against `BatchedInferencePipeline`."""

from __future__ import annotations

import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from benchmarks.goals.batching.bare import best
from benchmarks.goals.batching.ours import deployed, text_tokens
from benchmarks.goals.batching.tokens import Counted
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from cluster.testing.processes import cpu_seconds
from pipelines.flows.transcribe.flow import CPU_IN_FLIGHT
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.speech import speech_windows
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions, WindowResult
from serve.testing.random_whisper import Shape, reciter
from serve.testing.sound import Spoken, long_file, write

BATCH = 8
TOKENS = 110
"""Tokens of a 30 s window of speech: 150 words a minute, 1.35 tokens a word, plus timestamps."""
OPTIONS = DecodeOptions(language="en", word_times=False)


def measure(report: Report, shape: Shape, clips: list[Spoken], folder: Path, *, seconds: float, pairs: int) -> None:
    model = reciter(shape, TOKENS)
    samples = long_file(clips, seconds)
    path = folder / "long.wav"
    write(path, samples)
    with PcmFile(path) as audio:
        windows = [(window.start_ms, window.end_ms) for window in speech_windows(audio)]
    counted, work = Counted(), {"ours": 0.0, "theirs": 0.0}
    bare = best(model, lambda one: one.long_file(samples, windows[:4], batch=BATCH))
    with deployed(model, max_batch=BATCH) as client:

        def ours() -> float:
            begun, worked = time.perf_counter(), cpu_seconds(os.getpid())
            results = _through(client, path)
            took = time.perf_counter() - begun
            work["ours"] += cpu_seconds(os.getpid()) - worked
            counted.ours += text_tokens(bare.model.hf_tokenizer, results)
            return len(samples) / SAMPLE_RATE / took

        def theirs() -> float:
            begun, worked = time.perf_counter(), cpu_seconds(os.getpid())
            counted.theirs += bare.long_file(samples, windows, batch=BATCH)
            took = time.perf_counter() - begun
            work["theirs"] += cpu_seconds(os.getpid()) - worked
            return len(samples) / SAMPLE_RATE / took

        ours()
        counted.ours, work["ours"] = 0, 0.0
        measured = alternate(ours, theirs, pairs)
    report.goal(
        "1", measured.ratio, threads=str(bare.threads), windows=len(windows), **measured.detail(), **counted.check()
    )
    report.figure("core-seconds for the long file, ours / bare", work["ours"] / work["theirs"], "x")


def _through(client: TranscriberClient, path: Path) -> list[WindowResult]:
    """Find speech, cut windows and send them with a bounded number in flight, as the flow `transcribe` does."""
    results: list[WindowResult] = []
    waiting: set[Future[WindowResult]] = set()
    with PcmFile(path) as audio:
        for window in speech_windows(audio):
            pcm = audio.read(window.start_ms, window.end_ms)
            waiting.add(
                client.submit(AudioWindow("long", window.index, window.start_ms, pcm, OPTIONS, window.cut_in_speech))
            )
            if len(waiting) >= CPU_IN_FLIGHT:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                results += [future.result() for future in done]
        results += [future.result() for future in wait(waiting).done]
    return results
