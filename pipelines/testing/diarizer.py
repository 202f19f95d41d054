"""A client of a real speaker engine without Ray that counts its requests, and the flow run with it."""

from __future__ import annotations

import threading
import wave
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.storage.folder import LocalStorage
from pipelines.flows.speakers.flow import detect
from pipelines.media.sound.channel_levels import LevelCollector, write_levels
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result
from pipelines.messages.speakers import SpeakersRequest, SpeakersResult
from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.diarization.engine import DiarizationEngine
from serve.tasks.diarization.messages import PieceVoices, SoundPiece
from serve.tasks.transcription.messages import SAMPLE_RATE

AUDIO, CHANNELS = "files/f/audio.wav", "files/f/channels.npy"


class InProcessDiarizer:
    """`SpeakerClient` over an engine. It calls `before` with each piece first, which may raise."""

    def __init__(self, engine: DiarizationEngine, before: Callable[[SoundPiece], None] | None = None) -> None:
        self.engine = engine
        self.before = before
        self.pieces: list[SoundPiece] = []
        self.most_at_once = 0
        self._unfinished: set[Future[PieceVoices]] = set()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(2)

    def describe(self) -> EngineInfo:
        return self.engine.info

    def submit(self, piece: SoundPiece) -> Future[PieceVoices]:
        with self._lock:
            self.pieces.append(piece)
            future = self._pool.submit(self._run, piece)
            self._unfinished = {each for each in self._unfinished if not each.done()} | {future}
            self.most_at_once = max(self.most_at_once, len(self._unfinished))
        return future

    def close(self) -> None:
        """As a flow does at its end. The client can be used again."""
        for future in self._unfinished:
            future.cancel()

    def stop(self) -> None:
        """End the threads, but not the engine: other tests share it."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, piece: SoundPiece) -> PieceVoices:
        if self.before is not None:
            self.before(piece)
        (outcome,) = self.engine.run([piece])
        if isinstance(outcome, EngineRefused):
            raise outcome
        return outcome


class SpeakerRuns:
    """Runs the flow on made sound, in a storage of its own."""

    def __init__(self, folder: Path) -> None:
        self._work = folder / "work"
        self._work.mkdir()
        self._storage = LocalStorage(folder / "storage")

    def request(
        self, samples: NDArray[np.int16], *, channels: NDArray[np.int16] | None = None, speakers: int | None = None
    ) -> SpeakersRequest:
        """The request of a file with this sound; `channels` are its channels as columns, kept as ingest keeps them."""
        with wave.open(str(self._work / "audio.wav"), "wb") as out:
            out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
            out.writeframes(samples.tobytes())
        self._storage.put(self._work / "audio.wav", AUDIO)
        if channels is not None:
            levels = LevelCollector(channels.shape[1])
            levels.add(channels.tobytes())
            write_levels(levels.finish(), self._work / "channels.npy")
            self._storage.put(self._work / "channels.npy", CHANNELS)
        return SpeakersRequest(
            file_id="f",
            audio_key=AUDIO,
            duration_ms=len(samples) * 1000 // SAMPLE_RATE,
            channels_key=None if channels is None else CHANNELS,
            speakers=speakers,
        )

    def put(self, file: Path, key: str) -> None:
        """Store a copy of the file."""
        copy = self._work / "copy"
        copy.write_bytes(file.read_bytes())
        self._storage.put(copy, key)

    def stream(
        self,
        request: SpeakersRequest,
        client: InProcessDiarizer | str,
        chunks: dict[str, dict[str, Any]] | None = None,
    ) -> list[Progress | Chunk | Result]:
        """Everything that an attempt yields."""
        return list(self.stream_lazily(request, client, chunks))

    def stream_lazily(
        self,
        request: SpeakersRequest,
        client: InProcessDiarizer | str,
        chunks: dict[str, dict[str, Any]] | None = None,
    ) -> Iterator[Progress | Chunk | Result]:
        attempt = Attempt("job", 1, self._work, "jobs/job/1", chunks or {})
        return detect(request, attempt, storage=self._storage, connect=lambda: client)

    def result(self, request: SpeakersRequest, client: InProcessDiarizer | str) -> SpeakersResult:
        last = self.stream(request, client)[-1]
        assert isinstance(last, Result)
        assert isinstance(last.payload, SpeakersResult)
        return last.payload
