"""The tiny transducer as test fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.testing.tiny_parakeet.archive import parakeet_folder


@pytest.fixture(scope="session")
def parakeet_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tiny model; copy it before you change it."""
    return parakeet_folder(tmp_path_factory.mktemp("parakeet-model"))


@pytest.fixture(scope="session")
def parakeet(parakeet_model: Path) -> Iterator[SherpaEngine]:
    engine = SherpaEngine(Parakeet(), parakeet_model, name="phrasebook", reason="Test.", parallel=2)
    yield engine
    engine.close()
