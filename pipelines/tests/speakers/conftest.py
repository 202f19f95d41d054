from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.tasks.diarization.sherpa import SherpaEngine
from serve.testing.tiny_speakers.fixtures import sherpa, speaker_models

__all__ = ["sherpa", "speaker_models"]


@pytest.fixture
def runs(tmp_path: Path) -> SpeakerRuns:
    return SpeakerRuns(tmp_path)


@pytest.fixture
def client(sherpa: SherpaEngine) -> Iterator[InProcessDiarizer]:
    client = InProcessDiarizer(sherpa)
    yield client
    client.stop()
