"""A file from its bytes to its captions, through the flows `upload` and `transcribe` with the tiny Whisper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.flows.transcribe.flow import transcribe
from pipelines.messages.attempt import Attempt
from pipelines.messages.requests import TranscribeRequest
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.media.attempts import attempt, installation, result_of
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import clips, models_root, whisper

__all__ = ["attempt", "clips", "installation", "models_root", "whisper"]

Captioned = Callable[..., dict[str, Any]]


@pytest.fixture
def client(whisper: WhisperEngine) -> Iterator[InProcessClient]:
    made = InProcessClient(whisper)
    yield made
    made.stop()


@pytest.fixture
def captioned(
    attempt: Callable[..., Any], installation: LocalStorage, client: InProcessClient, tmp_path: Path
) -> Captioned:
    """Transcribe a file and return the result: `captioned(path, language="auto")`."""

    def run(path: Path, language: str = "auto") -> dict[str, Any]:
        facts = result_of(attempt("upload", path))
        request = TranscribeRequest(
            file_id="f", audio_key=facts["audio_key"], duration_ms=facts["duration_ms"], language=language
        )
        work = Attempt("transcribe", 1, tmp_path, "jobs/transcribe/1")
        return result_of(list(transcribe(request, work, client=client, storage=installation)))

    return run
