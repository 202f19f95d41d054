"""Goal 6: what client, Ray Serve and scheduler add to a request, without the model's own time."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median, quantiles

from benchmarks.goals.batching.ours import Replica, deployed
from benchmarks.goals.report import Report
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions
from serve.testing.random_whisper import TINY, reciter

REQUESTS = 400
SECONDS = 5


def measure(report: Report) -> None:
    """Send windows of silence, which the engine answers without decoding, and subtract its own time for them."""
    model = reciter(TINY, 18)
    window = AudioWindow("file", 0, 0, bytes(2 * SAMPLE_RATE * SECONDS), DecodeOptions(language="en"))
    alone = _engine_ms(model, window)
    with deployed(model, max_batch=8) as client:
        for _ in range(50):
            client.run(window)
        times = []
        for _ in range(REQUESTS):
            begun = time.perf_counter()
            client.run(window)
            times.append((time.perf_counter() - begun) * 1000 - alone)
    report.goal("6", median(times), engine_ms=alone, requests=REQUESTS, p95_ms=quantiles(times, n=20)[-1])


def _engine_ms(model: Path, window: AudioWindow) -> float:
    engine = Replica(model, adaptive=True).engine
    times = []
    for _ in range(200):
        begun = time.perf_counter()
        engine.run([window])
        times.append((time.perf_counter() - begun) * 1000)
    return median(times)
