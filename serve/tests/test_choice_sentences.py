"""Why an engine was chosen and others were not: wholly in the reader's language, whatever the machine lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cluster.wording.message import in_language
from serve.core.settings import ModelSettings
from serve.profile import BadProfile, load_profile
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.registration import DEPLOYMENT as TRANSCRIPTION
from serve.tasks.translation.choice import explain
from serve.tasks.translation.profile import TranslationProfile

ENGLISH = re.compile(
    r"\b(the|this|it|its|is|are|no|not|nor|of|by|has|holds|used|there|must|named?|says?)\b", re.IGNORECASE
)
"""Words that no Icelandic sentence holds."""


def _speech(root: Path, **given: object) -> str:
    profile = TranscriptionProfile.model_validate({"engine": "auto", "models": ["tiny"], "hub": False, **given})
    return TRANSCRIPTION.explain(profile, ModelSettings(allow_hub=False), root).reason


def _nothing(root: Path) -> str:
    return _speech(root)


def _torch_alone(root: Path) -> str:
    folder = root / "whisper"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "whisper"}))
    for name in ("tokenizer.json", "model.safetensors"):
        (folder / name).touch()
    return _speech(root, beam_size=5)


def _whisper_without_tokenizer(root: Path) -> str:
    (root / "whisper").mkdir()
    (root / "whisper" / "model.bin").touch()
    return _speech(root)


def _unknown_name(root: Path) -> str:
    profile = TranscriptionProfile.model_validate({"engine": "auto", "models": ["tiny"], "hub": False})
    settings = ModelSettings(allow_hub=False, whisper_model="stórt", whisper_models={"is": str(root / "íslenska")})
    return TRANSCRIPTION.explain(profile, settings, root).reason


def _damaged_parakeet(root: Path) -> str:
    folder = root / "parakeet"
    folder.mkdir()
    for name in ("encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"):
        (folder / name).write_bytes(b"\xff")
    return _speech(root)


def _translation(root: Path) -> str:
    settings = ModelSettings(allow_hub=False, translation_models={"en-is": "orðabók"})
    return explain(TranslationProfile.model_validate({"engine": "auto"}), settings, root).reason


def _chat_wanted(root: Path) -> str:
    return explain(TranslationProfile.model_validate({"engine": "llm"}), ModelSettings(allow_hub=False), root).reason


@pytest.mark.parametrize(
    "reason",
    [
        _nothing,
        _torch_alone,
        _whisper_without_tokenizer,
        _unknown_name,
        _damaged_parakeet,
        _translation,
        _chat_wanted,
    ],
)
def test_reasons_are_wholly_icelandic(reason: Callable[[Path], str], tmp_path: Path) -> None:
    sentence = reason(tmp_path)
    shown = in_language(sentence, "is").replace(str(tmp_path), "")
    assert ENGLISH.search(str(sentence))
    assert not ENGLISH.search(re.sub(r"`[^`]*`|\S+[._]\S+", "", shown)), shown


@pytest.mark.parametrize("text", ["a: [", "[]", "speech: {}", "transcription: {engine: 3}"])
def test_a_profile_that_cannot_be_used_is_refused_in_icelandic(text: str, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(text)
    with pytest.raises(BadProfile) as refused:
        load_profile(str(file))
    shown = in_language(str(refused.value), "is")
    assert shown.split(" ")[0] in ("Sniðið", "Í")
