"""Which speaker engine a machine gets, and the sherpa engine on the tiny pair."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.core.replica_messages import BatchLimits
from serve.core.settings import ModelSettings
from serve.profile import BUNDLED, load_profile
from serve.tasks.diarization.choice import WITHOUT, choose_diarization
from serve.tasks.diarization.load import load_chosen
from serve.tasks.diarization.messages import MAX_PIECE_MS, PieceVoices, SoundPiece, window_starts
from serve.tasks.diarization.problems import UnusableModel
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.diarization.registration import DEPLOYMENT as DIARIZATION_DEPLOYMENT
from serve.tasks.diarization.sherpa import SherpaEngine
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_speakers.dialogue import converse
from serve.testing.tiny_speakers.fixtures import sherpa, speaker_models

__all__ = ["sherpa", "speaker_models"]

SETTINGS = ModelSettings(_env_file=None)
AUTO = DiarizationProfile()


def piece(samples: np.ndarray, index: int = 0, start_ms: int = 0) -> SoundPiece:
    return SoundPiece(f"file-{index}", index, start_ms, samples.tobytes())


def test_the_machine_gets_the_engine_whose_models_are_there(speaker_models: Path, tmp_path: Path) -> None:
    shutil.copytree(speaker_models, tmp_path / "speakers")
    choice = choose_diarization(AUTO, SETTINGS, tmp_path)
    assert (choice.engine, choice.folder) == ("sherpa", tmp_path / "speakers")
    info = DIARIZATION_DEPLOYMENT.explain(AUTO, SETTINGS, tmp_path)
    engine = load_chosen(AUTO, choice)
    assert info == engine.info, "the page says the same before and after the model is loaded"
    named = ModelSettings(speaker_model="speakers", _env_file=None)
    assert "a setting names this folder" in choose_diarization(AUTO, named, tmp_path).reason


def test_a_machine_without_models_says_what_to_do(tmp_path: Path) -> None:
    info = DIARIZATION_DEPLOYMENT.explain(AUTO, SETTINGS, tmp_path)
    assert not info.can_run
    assert WITHOUT in info.reason
    assert "segmentation.onnx" in info.reason
    assert str(tmp_path) not in info.reason
    with pytest.raises(ModelMissing):
        load_chosen(AUTO, choose_diarization(AUTO, SETTINGS, tmp_path))


def test_a_pyannote_pipeline_without_torch_is_named_and_passed_over(speaker_models: Path, tmp_path: Path) -> None:
    pytest.importorskip("sherpa_onnx")
    shutil.copytree(speaker_models, tmp_path / "speakers")
    for part in ("segmentation", "embedding"):
        (tmp_path / "community-1" / part).mkdir(parents=True)
        (tmp_path / "community-1" / part / "pytorch_model.bin").write_bytes(b"")
    choice = choose_diarization(AUTO, SETTINGS, tmp_path)
    if choice.engine == "sherpa":
        assert "“community-1” is a pyannote pipeline, and pyannote.audio is not installed" in choice.reason
    else:
        assert choice.engine == "pyannote", "where torch is there it is better"


@pytest.mark.parametrize("name", BUNDLED)
def test_every_profile_has_speakers(name: str) -> None:
    assert isinstance(load_profile(name).section("diarization"), DiarizationProfile)


def test_pieces_of_several_files_share_a_batch(sherpa: SherpaEngine) -> None:
    talks = [converse([("rms", "Good morning to you all."), ("slt", "And good evening from us, my friends.")], seed=n)
             for n in (1, 2)]  # fmt: skip
    batch = [piece(talk.samples, index, 25_000 * index) for index, talk in enumerate(talks)]
    both = sherpa.run(batch)
    assert both == [sherpa.run([each])[0] for each in batch], "neighbours change nothing"
    for index, outcome in enumerate(both):
        assert isinstance(outcome, PieceVoices)
        (window,) = outcome.windows
        assert window.start_ms == 25_000 * index
        voices = [np.frombuffer(voice.embedding or b"", "<f4") for voice in window.voices]
        assert len(voices) == 2
        assert np.allclose([np.linalg.norm(voice) for voice in voices], 1, atol=1e-5)
        assert float(voices[0] @ voices[1]) < outcome.likeness


def test_windows_cover_a_piece() -> None:
    assert window_starts(MAX_PIECE_MS) == [0, 5_000, 10_000, 15_000, 20_000]
    assert window_starts(12_000) == [0, 5_000]
    assert window_starts(900) == [0]


def test_bad_sound_is_refused_and_its_neighbours_are_not(sherpa: SherpaEngine) -> None:
    good = piece(np.zeros(SAMPLE_RATE, np.int16))
    long = piece(np.zeros(31 * SAMPLE_RATE, np.int16))
    odd = SoundPiece("f", 0, 0, b"abc")
    refusals = sherpa.run([long, good, odd])
    assert isinstance(refusals[1], PieceVoices)
    for refusal in (refusals[0], refusals[2]):
        assert isinstance(refusal, EngineRefused)
        assert refusal.problem is EngineProblem.BAD_INPUT


def test_files_of_other_models_end_with_a_sentence_and_not_the_process(speaker_models: Path, tmp_path: Path) -> None:
    """sherpa-onnx itself calls `exit` on a model without its metadata."""
    swapped = tmp_path / "swapped"
    swapped.mkdir()
    shutil.copy(speaker_models / "segmentation.onnx", swapped / "embedding.onnx")
    shutil.copy(speaker_models / "segmentation.onnx", swapped / "segmentation.onnx")
    with pytest.raises(UnusableModel, match="is not a speaker embedding model"):
        SherpaEngine(swapped, reason="")
    shutil.copy(speaker_models / "embedding.onnx", swapped / "segmentation.onnx")
    with pytest.raises(UnusableModel, match="is not a segmentation model"):
        SherpaEngine(swapped, reason="")
    (swapped / "segmentation.onnx").write_bytes(b"damaged")
    with pytest.raises(UnusableModel, match="cannot be read"):
        SherpaEngine(swapped, reason="")


def test_the_cost_is_sound() -> None:
    limits = AUTO.limits
    assert isinstance(limits, BatchLimits)
    assert limits.max_queued == 600_000
