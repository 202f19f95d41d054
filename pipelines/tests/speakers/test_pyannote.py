"""pyannote's own model classes, tiny and trained, in the environment that has torch."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from serve.tasks.diarization.messages import PieceVoices, SoundPiece
from serve.testing.tiny_models.archives import unpack

pytestmark = pytest.mark.gpu_env


@pytest.fixture(scope="module")
def sockets() -> Any:
    """Every address that this process tries to reach while the models load and run."""
    reached: list[object] = []
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        reached.append(address)
        connect(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", watched)
    # As an administrator, or another library, may have left it.
    patch.setenv("PYANNOTE_METRICS_ENABLED", "true")
    yield reached
    patch.undo()


@pytest.fixture(scope="module")
def pipeline(sockets: list[object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline folder in the form of community-1: trained segmentation, fitted embedding."""
    from serve.testing.tiny_speakers.archive import TINY_PYANNOTE
    from serve.testing.tiny_speakers.train_pyannote import fitted_embedding, save

    root = tmp_path_factory.mktemp("pyannote")
    folder = root / "community-1"
    shutil.copytree(unpack(TINY_PYANNOTE, root), folder / "segmentation")
    save(fitted_embedding(), folder / "embedding")
    return folder


@pytest.fixture(scope="module")
def engine(pipeline: Path) -> Any:
    from serve.core.settings import ModelSettings
    from serve.tasks.diarization.choice import choose_diarization
    from serve.tasks.diarization.load import load_chosen
    from serve.tasks.diarization.profile import DiarizationProfile

    profile = DiarizationProfile(segmentation_batch=4, embedding_batch=4)
    return load_chosen(profile, choose_diarization(profile, ModelSettings(_env_file=None), pipeline.parent))


def test_it_finds_who_speaks_when(engine: Any, sockets: list[object], tmp_path: Path) -> None:
    from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
    from serve.testing.speaker_errors import diarization_errors
    from serve.testing.tiny_speakers.dialogue import talk

    assert engine.info.engine == "pyannote"
    dialogue = talk(("slt", "awb", "rms"), 12, seed=52)
    runs, client = SpeakerRuns(tmp_path), InProcessDiarizer(engine)
    result = runs.result(runs.request(dialogue.samples), client)
    client.stop()
    assert diarization_errors(dialogue.utterances, result.turns, collar_ms=250).rate < 0.05
    assert len({turn.speaker for turn in result.turns}) == 3


@pytest.mark.long
def test_files_share_a_batch_and_neighbours_change_nothing(engine: Any) -> None:
    import numpy as np

    from serve.testing.tiny_speakers.dialogue import talk

    pieces = [
        SoundPiece(f"file-{seed}", 0, 0, talk(("slt", "rms"), 4, seed=seed).samples[: 16_000 * size].tobytes())
        for seed, size in ((1, 12), (2, 7))
    ]
    for together, piece in zip(engine.run(pieces), pieces, strict=True):
        (alone,) = engine.run([piece])
        assert isinstance(together, PieceVoices)
        assert [window.end_ms for window in together.windows] == [window.end_ms for window in alone.windows]
        for one, other in zip(together.windows, alone.windows, strict=True):
            assert [voice.stretches for voice in one.voices] == [voice.stretches for voice in other.voices]
            for a, b in zip(one.voices, other.voices, strict=True):
                if a.embedding and b.embedding:
                    assert np.frombuffer(a.embedding, "<f4") @ np.frombuffer(b.embedding, "<f4") > 0.999


def test_nothing_is_reported_to_its_maker(engine: Any, sockets: list[object]) -> None:
    from pyannote.audio.telemetry.metrics import is_metrics_enabled, provider

    engine.run([SoundPiece("f", 0, 0, bytes(64_000))])
    provider.force_flush()
    assert os.environ["PYANNOTE_METRICS_ENABLED"] == "0"
    assert not is_metrics_enabled()
    assert sockets == []
