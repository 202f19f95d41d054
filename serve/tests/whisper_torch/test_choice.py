"""Which engine runs a folder of weights, and what is said where it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engines import WHISPER, WHISPER_TORCH
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.registration import DEPLOYMENT as TRANSCRIPTION_DEPLOYMENT
from serve.tasks.transcription.whisper_search import Found
from serve.tasks.transcription.whisper_torch.folder import holds_whisper, missing_libraries, weight_files

NO_HUB = ModelSettings(allow_hub=False)


def profile(engine: str = "auto") -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"engine": engine, "models": ["tiny"], "hub": False})


def published(folder: Path, *, model_type: str = "whisper") -> Path:
    """A folder as transformers writes one, with weights of no content."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": model_type}))
    (folder / "tokenizer.json").touch()
    (folder / "model.safetensors").touch()
    return folder


@pytest.fixture
def with_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serve.tasks.transcription.whisper_search.missing_libraries", lambda: None)


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serve.tasks.transcription.whisper_torch.folder.find_spec", lambda _: None)


@pytest.mark.usefixtures("with_torch")
def test_transformers_weights_in_the_models_folder_choose_torch(tmp_path: Path) -> None:
    folder = published(tmp_path / "whisper-tiny")
    choice = choose_transcription(profile(), NO_HUB, tmp_path)
    assert choice.whisper is not None
    assert (choice.whisper.engine, choice.whisper.path) == (WHISPER_TORCH, folder)
    info = TRANSCRIPTION_DEPLOYMENT.explain(profile(), NO_HUB, tmp_path)
    assert info.engine == WHISPER_TORCH


@pytest.mark.usefixtures("with_torch")
def test_a_setting_names_such_a_folder_for_all_languages_or_one(tmp_path: Path) -> None:
    folder = published(tmp_path / "elsewhere")
    settings = ModelSettings(whisper_model=str(folder), whisper_models={"is": str(folder)}, allow_hub=False)
    choice = choose_transcription(profile(), settings, tmp_path / "models")
    assert [each.engine for each in choice.models if isinstance(each, Found)] == [WHISPER_TORCH, WHISPER_TORCH]


@pytest.mark.usefixtures("with_torch")
@pytest.mark.parametrize(("engine", "chosen"), [("auto", WHISPER), (WHISPER, WHISPER), (WHISPER_TORCH, WHISPER_TORCH)])
def test_the_profile_decides_where_a_folder_has_both_forms(tmp_path: Path, engine: str, chosen: str) -> None:
    (published(tmp_path / "whisper") / "model.bin").touch()
    choice = choose_transcription(profile(engine), NO_HUB, tmp_path)
    assert choice.whisper is not None
    assert choice.whisper.engine == chosen


@pytest.mark.usefixtures("without_torch")
def test_without_torch_it_says_what_to_install(tmp_path: Path) -> None:
    published(tmp_path / "whisper")
    info = TRANSCRIPTION_DEPLOYMENT.explain(profile(), NO_HUB, tmp_path)
    assert info.engine == "pocketsphinx"
    assert "torch, transformers must be installed (`pip install 'sagascript[gpu]'`)" in info.reason
    required = TRANSCRIPTION_DEPLOYMENT.explain(profile(WHISPER_TORCH), NO_HUB, tmp_path)
    assert not required.can_run
    assert "sagascript[gpu]" in required.reason


@pytest.mark.usefixtures("with_torch")
def test_a_profile_with_several_beams_takes_no_torch(tmp_path: Path) -> None:
    published(tmp_path / "whisper")
    choice = choose_transcription(profile().model_copy(update={"beam_size": 5}), NO_HUB, tmp_path)
    assert choice.whisper is None
    assert "it decodes with 1 beam, and the profile sets 5" in choice.reason


def test_a_profile_that_requires_torch_takes_no_other_weights(tmp_path: Path) -> None:
    (tmp_path / "whisper").mkdir()
    (tmp_path / "whisper" / "model.bin").touch()
    with pytest.raises(ModelMissing, match="no Whisper model of transformers' weights"):
        choose_transcription(profile(WHISPER_TORCH), NO_HUB, tmp_path)
    missing = ModelSettings(whisper_model="large-v3", allow_hub=False)
    with pytest.raises(ModelMissing, match=r"“large-v3” is no folder with config\.json"):
        choose_transcription(profile(WHISPER_TORCH), missing, tmp_path)


def test_only_a_whole_whisper_is_recognized(tmp_path: Path) -> None:
    whole = published(tmp_path / "whole")
    assert holds_whisper(whole)
    assert not holds_whisper(published(tmp_path / "llama", model_type="llama"))
    (whole / "config.json").write_text("{")
    assert not holds_whisper(whole)
    sharded = published(tmp_path / "sharded")
    (sharded / "model.safetensors").unlink()
    assert not holds_whisper(sharded)
    (sharded / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})
    )
    (sharded / "1.safetensors").touch()
    assert not holds_whisper(sharded)
    (sharded / "2.safetensors").touch()
    assert holds_whisper(sharded)
    assert [file.name for file in weight_files(sharded)] == ["1.safetensors", "2.safetensors"]
    (sharded / "model.safetensors.index.json").write_text("[]")
    assert not weight_files(sharded)
    assert not holds_whisper(tmp_path / "absent")


def test_the_sentence_names_only_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "serve.tasks.transcription.whisper_torch.folder.find_spec", lambda name: None if name == "torch" else object()
    )
    assert missing_libraries() == "torch must be installed (`pip install 'sagascript[gpu]'`)"
