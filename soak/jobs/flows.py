"""Flows that do little and are real: ffmpeg runs, parts are kept, files go to storage, as in the product's own flows.

They run in the product's own attempt (`attempt_stream`), whose table of flows is replaced in the worker.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import ray

from cluster.settings import get_cluster_settings
from cluster.storage import open_storage
from pipelines.flows import tasks
from pipelines.flows.ingest import keep
from pipelines.flows.messages import Attempt, Chunk, Progress, Result
from pipelines.flows.tasks import Failed, attempt_stream
from pipelines.media import ffmpeg
from pipelines.media.limits import preprocess_limits

PARTS = 3
LINE_MS = 1_000
FILE_MS = PARTS * LINE_MS
NOT_MADE = "The sound could not be made."


def upload(request: dict[str, Any], attempt: Attempt) -> Generator[Progress | Result]:
    """Sound is made; the original does not play in browsers, so that a playback copy follows."""
    yield Progress("decoding", 0, FILE_MS, "audio_ms")
    audio_key = _sound(attempt, "audio.wav", seconds=_seconds(request))
    yield Progress("finishing", FILE_MS, FILE_MS, "audio_ms")
    facts = {"kind": "audio", "duration_ms": FILE_MS, "plays_in_browser": False}
    yield Result({**facts, "audio_key": audio_key})


def encoding(request: dict[str, Any], attempt: Attempt) -> Generator[Progress | Result]:
    yield Progress("encoding", 0, FILE_MS, "media_ms")
    yield Result({"playback_key": _sound(attempt, "playback.m4a", seconds=0.1), "mime": "audio/mp4"})


def transcribe(request: dict[str, Any], attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Parts that name who made them: a later attempt must not make them again."""
    for number in range(PARTS):
        key = f"window-{number:06}"
        if key not in attempt.chunks:
            yield Chunk(key, {"segments": [], "made_by": attempt.fence})
        yield Progress("transcribing", (number + 1) * LINE_MS, FILE_MS, "audio_ms")
    lines = [
        {
            "id": str(number),
            "start_ms": number * LINE_MS,
            "end_ms": (number + 1) * LINE_MS,
            "text": f"Line {number}",
            "words": [],
            "doubts": [],
        }
        for number in range(PARTS)
    ]
    engine = {"engine": "none", "model": "none", "reason": "A benchmark."}
    yield Result({"language": "is-IS", "language_probability": 1.0, "segments": [], "lines": lines, "engine": engine})


def _seconds(request: dict[str, Any]) -> float:
    """A few files take seconds, so that faults find programs at work."""
    return 3.0 if int(request["file_id"][:8], 16) % 12 == 0 else 0.1


def _sound(attempt: Attempt, name: str, *, seconds: float) -> str:
    storage = open_storage(get_cluster_settings())
    tone = ["-re", "-f", "lavfi", "-i", f"sine=f=440:d={seconds}"]
    ffmpeg.run("sound", [*tone, name], limits=preprocess_limits(FILE_MS), cwd=attempt.work, failure=NOT_MADE)
    return keep(storage, attempt, attempt.work / name)


def _attempt(
    kind: str, request: dict[str, Any], job_id: str, fence: int, chunks: dict[str, dict[str, Any]]
) -> Iterator[Progress | Chunk | Result | Failed]:
    tasks.FLOWS.update({"upload": upload, "encoding": encoding, "transcribe": transcribe})
    yield from attempt_stream(kind, request, job_id, fence, chunks)


cheap_attempt = ray.remote(num_returns="streaming", max_retries=0)(_attempt)
