"""Folders of every family that are cut off, mixed up or hostile: a sentence each, and the process lives on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.transcription.load import load_chosen
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.registry import BY_NAME
from serve.testing.tiny_sherpa.broken import copied, refusal_of

FILES = [
    *("canary/encoder.int8.onnx", "canary/decoder.int8.onnx", "canary/tokens.txt"),
    *("cohere/encoder.int8.onnx", "cohere/decoder.int8.onnx", "cohere/tokens.txt"),
    *("moonshine/encoder_model.ort", "moonshine/decoder_model_merged.ort", "moonshine/tokens.txt"),
    *("omnilingual/model.int8.onnx", "omnilingual/tokens.txt"),
    *("qwen3_asr/conv_frontend.onnx", "qwen3_asr/encoder.int8.onnx", "qwen3_asr/decoder.int8.onnx"),
    *("qwen3_asr/tokenizer/vocab.json", "qwen3_asr/tokenizer/tokenizer_config.json"),
    *("sense_voice/model.int8.onnx", "sense_voice/tokens.txt"),
    *("zipformer/encoder-epoch-99-avg-1.int8.onnx", "zipformer/decoder-epoch-99-avg-1.onnx"),
    *("zipformer/joiner-epoch-99-avg-1.int8.onnx", "zipformer/tokens.txt"),
]


def refusal(family: str, folder: Path) -> str:
    return refusal_of(lambda: SherpaEngine(BY_NAME[family], folder, name="broken", reason="Test."))


@pytest.mark.parametrize("place", FILES)
def test_a_file_that_is_cut_off_is_refused(families: dict[str, Path], place: str, tmp_path: Path) -> None:
    family, folder, path = copied(families, place, tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    refusal(family, folder)


@pytest.mark.long
@pytest.mark.parametrize("content", [b"", b"<html>Not found</html>", b"\xff" * 4096], ids=["empty", "page", "noise"])
@pytest.mark.parametrize("place", FILES)
def test_a_file_of_something_else_is_refused(
    families: dict[str, Path], place: str, content: bytes, tmp_path: Path
) -> None:
    family, folder, path = copied(families, place, tmp_path)
    path.write_bytes(content)
    refusal(family, folder)


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "other"),
    [
        ("canary/decoder.int8.onnx", "cohere/decoder.int8.onnx"),
        ("canary/tokens.txt", "sense_voice/tokens.txt"),
        ("cohere/decoder.int8.onnx", "qwen3_asr/decoder.int8.onnx"),
        ("moonshine/decoder_model_merged.ort", "moonshine/encoder_model.ort"),
        ("qwen3_asr/encoder.int8.onnx", "canary/encoder.int8.onnx"),
        ("zipformer/joiner-epoch-99-avg-1.int8.onnx", "zipformer/decoder-epoch-99-avg-1.onnx"),
    ],
)
def test_parts_of_different_models_are_refused(
    families: dict[str, Path], place: str, other: str, tmp_path: Path
) -> None:
    family, folder, path = copied(families, place, tmp_path)
    other_family, _, name = other.partition("/")
    shutil.copy(families[other_family] / name, path)
    refusal(family, folder)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("trick", [_pipe, _loop, Path.mkdir], ids=["pipe", "loop", "folder"])
def test_what_only_looks_like_a_file_is_no_model(
    families: dict[str, Path], trick: Callable[[Path], object], tmp_path: Path
) -> None:
    _, folder, path = copied(families, "omnilingual/model.int8.onnx", tmp_path)
    path.unlink()
    trick(path)
    assert not any(family.holds(folder) for family in BY_NAME.values())


@pytest.mark.long
def test_a_broken_model_leaves_its_languages_to_the_others(
    families: dict[str, Path], models_root: Path, tmp_path: Path
) -> None:
    shutil.copytree(models_root / "whisper", tmp_path / "whisper")
    _, folder, path = copied(families, "canary/decoder.int8.onnx", tmp_path)
    shutil.copy(families["cohere"] / "decoder.int8.onnx", path)
    profile = TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1})
    settings = ModelSettings(allow_hub=False)
    choice = choose_transcription(profile, settings, tmp_path)
    assert [found.name for found in choice.sherpa] == [folder.name]
    engine = load_chosen(profile, settings, choice)
    assert (engine.info.engine, engine.info.by_language) == ("whisper", ())
    assert f"The Canary model “{folder.name}” cannot be loaded" in engine.info.reason
    engine.close()
    (folder / "decoder.int8.onnx").unlink()
    required = profile.model_copy(update={"engine": "canary"})
    with pytest.raises(ModelMissing, match="sagascript models pull canary-180m-flash"):
        choose_transcription(required, settings, tmp_path)
