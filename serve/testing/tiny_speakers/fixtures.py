"""The tiny speaker models as test fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from serve.tasks.diarization.sherpa import SherpaEngine
from serve.testing.tiny_speakers.archive import speakers_folder


@pytest.fixture(scope="session")
def speaker_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tiny pair in sherpa-onnx's form."""
    return speakers_folder(tmp_path_factory.mktemp("speaker-models"))


@pytest.fixture(scope="session")
def sherpa(speaker_models: Path) -> Iterator[SherpaEngine]:
    engine = SherpaEngine(speaker_models, reason="Test.", parallel=2)
    yield engine
    engine.close()
