"""A long file at work: the flow `transcribe` in a thread, through the deployment, until stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.goals.preprocess.sound import spoken
from cluster.storage.folder import LocalStorage
from pipelines.flows.transcribe.flow import transcribe
from pipelines.media.probe import probe
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.messages.attempt import Attempt, Progress, Result
from pipelines.messages.requests import TranscribeRequest
from serve.tasks.transcription.client import TranscriberClient

KEY = "files/long/audio.wav"


@dataclass
class Under:
    """The flow's progress."""

    done_ms: int = 0
    is_over: bool = False


class LongFile:
    def __init__(self, folder: Path, seconds: int) -> None:
        self._folder = folder
        self._storage = LocalStorage(folder / "objects")
        self._seconds = seconds
        self._runs = 0
        file = spoken(folder / "long", seconds)
        wav = folder / "audio.wav"
        for _ in decode(file, probe(file), wav=wav, into=DecodedAudio()):
            pass
        self._storage.put(wav, KEY)

    @contextmanager
    def running(self) -> Iterator[Under]:
        """Send its windows through the model during the block."""
        self._runs += 1
        progress, first, stop = Under(), threading.Event(), threading.Event()

        def run() -> None:
            request = TranscribeRequest(
                file_id="long", audio_key=KEY, duration_ms=self._seconds * 1000, language="en-US"
            )
            attempt = Attempt(f"long-{self._runs}", 1, self._folder, "jobs/long/1")
            with (
                TranscriberClient() as client,
                closing(transcribe(request, attempt, client=client, storage=self._storage)) as values,
            ):
                for value in values:
                    if isinstance(value, Progress):
                        progress.done_ms = value.done
                    if progress.done_ms:
                        first.set()
                    progress.is_over = isinstance(value, Result)
                    if stop.is_set():
                        return

        thread = threading.Thread(target=run)
        thread.start()
        first.wait(120)
        try:
            yield progress
        finally:
            stop.set()
            thread.join()
