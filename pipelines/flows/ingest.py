"""The flow of kind `upload`: probe a file and extract its sound for transcription, its waveform and its poster."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.media.playback import mime_of, plays_in_browser
from pipelines.media.poster import make_poster
from pipelines.media.probe import MediaFacts, probe
from pipelines.media.sound.audio import DecodedAudio, Drawings, decode
from pipelines.media.sound.channel_levels import channels_differ, write_levels
from pipelines.media.virus_scan import scan
from pipelines.messages.attempt import Attempt, Progress, Result, StageFailed
from pipelines.messages.requests import IngestRequest
from pipelines.messages.results import IngestResult

WAV, PEAKS, SPECTROGRAM = "audio.wav", "peaks.json", "spectrogram.bin"
"""What decoding writes into the work folder."""

SOURCE_GONE = Message(
    "pipelines.flows.source_gone", "The uploaded bytes of this file are gone from storage. Please upload it again."
)


def run(request: IngestRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of decoded sound."""
    settings = get_cluster_settings()
    storage = open_storage(settings)
    with stored_source(storage, attempt, request.source_key) as path:
        if settings.clamd is not None:
            size = path.stat().st_size
            for done in scan(path, settings.clamd):
                yield Progress("scanning", done, size, "bytes")
        yield from ingest_file(path, attempt, storage)


def ingest_file(path: Path, attempt: Attempt, storage: Storage) -> Generator[Progress | Result, None, None]:
    """The flow for a file on this machine. Its last value is the result."""
    facts = probe(path)
    yield Progress("probing", 0, facts.duration_ms, "audio_ms")
    audio_key = peaks_key = spectrogram_key = channels_key = None
    decoded = DecodedAudio()
    if facts.audio is not None:
        drawings = Drawings(attempt.work / PEAKS, attempt.work / SPECTROGRAM)
        yield from decoding(path, facts, attempt, decoded, drawings)
        audio_key = store_file(storage, attempt, attempt.work / WAV)
        peaks_key = store_file(storage, attempt, drawings.peaks)
        spectrogram_key = store_file(storage, attempt, drawings.spectrogram)
        if decoded.levels is not None and channels_differ(decoded.levels):
            levels = attempt.work / "channels.npy"
            write_levels(decoded.levels, levels)
            channels_key = store_file(storage, attempt, levels)
    picture = attempt.work / "poster.jpg"
    poster_key = store_file(storage, attempt, picture) if make_poster(path, facts, picture) else None
    yield Progress("finishing", facts.duration_ms, facts.duration_ms, "audio_ms")
    described = _described(facts, decoded)
    keys = {
        "audio_key": audio_key,
        "peaks_key": peaks_key,
        "spectrogram_key": spectrogram_key,
        "poster_key": poster_key,
        "channels_key": channels_key,
    }
    yield Result(described.model_copy(update=keys))


def decoding(
    path: Path, facts: MediaFacts, attempt: Attempt, into: DecodedAudio, drawings: Drawings | None = None
) -> Generator[Progress, None, None]:
    """Write `WAV` into the work folder, and the drawings. Progress is in milliseconds of sound."""
    with closing(decode(path, facts, wav=attempt.work / WAV, drawings=drawings, into=into)) as milliseconds:
        for done_ms in milliseconds:
            yield Progress("decoding", min(done_ms, facts.duration_ms), facts.duration_ms, "audio_ms")


@contextmanager
def stored_source(storage: Storage, attempt: Attempt, key: str) -> Iterator[Path]:
    """Give a local path of the original while the context is open. Raise `StageFailed` when it is gone."""
    with ExitStack() as opened:
        try:
            path = opened.enter_context(storage.local_copy(key, attempt.work))
        except FileNotFoundError as error:
            raise StageFailed("storage", SOURCE_GONE, retryable=False) from error
        yield path


def store_file(storage: Storage, attempt: Attempt, file: Path) -> str:
    """Move a finished file from the work folder into the attempt's storage. Return its key."""
    key = f"{attempt.storage_prefix}/{file.name}"
    storage.put(file, key)
    return key


def _described(facts: MediaFacts, decoded: DecodedAudio) -> IngestResult:
    """The result without the keys of its stored objects."""
    return IngestResult(
        kind=facts.kind,
        # For sound alone, use the decoded length: the length in the header of a variable-rate MP3 is a guess.
        duration_ms=facts.duration_ms if facts.video or not decoded.duration_ms else decoded.duration_ms,
        width=facts.video.width if facts.video else None,
        height=facts.video.height if facts.video else None,
        fps=facts.video.fps if facts.video else None,
        facts={**facts.as_json(), "mime": mime_of(facts), "warnings": decoded.warnings},
        plays_in_browser=plays_in_browser(facts),
        audio_channels=facts.audio.channels if facts.audio else 0,
        has_audio=facts.audio is not None,
    )
