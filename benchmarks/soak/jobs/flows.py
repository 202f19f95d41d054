"""Small but real flows: they run ffmpeg, keep parts and store files, as the product's own flows do.

They run in the product's own attempts: the dispatcher is given the product's job types with these flows.
"""

from __future__ import annotations

from collections.abc import Generator

from cluster.settings import get_cluster_settings
from cluster.storage.opening import open_storage
from pipelines.flows.ingest import store_file
from pipelines.media import ffmpeg
from pipelines.media.limits import preprocess_limits
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import EncodeRequest, IngestRequest, TranscribeRequest
from pipelines.messages.results import EncodeResult, IngestResult, TranscribedWindow, TranscribeResult
from serve.core.messages import EngineInfo

PARTS = 3
LINE_MS = 1_000
FILE_MS = PARTS * LINE_MS
NOT_MADE = "The sound could not be made."


def upload(request: IngestRequest, attempt: Attempt) -> Generator[Progress | Result]:
    """Make sound. The original does not play in browsers, so a playback copy follows."""
    yield Progress("decoding", 0, FILE_MS, "audio_ms")
    audio_key = _sound(attempt, "audio.wav", seconds=_seconds(request))
    yield Progress("finishing", FILE_MS, FILE_MS, "audio_ms")
    yield Result(IngestResult(kind="audio", duration_ms=FILE_MS, plays_in_browser=False, audio_key=audio_key))


def encoding(request: EncodeRequest, attempt: Attempt) -> Generator[Progress | Result]:
    yield Progress("encoding", 0, FILE_MS, "media_ms")
    yield Result(EncodeResult(playback_key=_sound(attempt, "playback.m4a", seconds=0.1), mime="audio/mp4"))


def transcribe(request: TranscribeRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Parts are kept one by one: a later attempt must not make them again."""
    for number in range(PARTS):
        key = f"window-{number:06}"
        start_ms, end_ms = number * LINE_MS, (number + 1) * LINE_MS
        if key not in attempt.chunks:
            window = TranscribedWindow(
                index=number, start_ms=start_ms, end_ms=end_ms, language="is", language_probability=1.0, segments=()
            )
            yield Chunk(key, window)
        yield Progress("transcribing", end_ms, FILE_MS, "audio_ms")
    lines = tuple(
        CaptionLine(str(number), number * LINE_MS, (number + 1) * LINE_MS, f"Line {number}") for number in range(PARTS)
    )
    engine = EngineInfo("transcription", "none", "none", "cpu", "A benchmark.")
    yield Result(TranscribeResult(language="is-IS", language_probability=1.0, engine=engine, lines=lines))


def _seconds(request: IngestRequest) -> float:
    """Take seconds on a few files, so that faults find programs at work."""
    return 3.0 if int(request.file_id[:8], 16) % 12 == 0 else 0.1


def _sound(attempt: Attempt, name: str, *, seconds: float) -> str:
    storage = open_storage(get_cluster_settings())
    tone = ["-re", "-f", "lavfi", "-i", f"sine=f=440:d={seconds}"]
    ffmpeg.run("sound", [*tone, name], limits=preprocess_limits(FILE_MS), cwd=attempt.work, failure=NOT_MADE)
    return store_file(storage, attempt, attempt.work / name)
