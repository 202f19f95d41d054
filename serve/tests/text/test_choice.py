"""Which text engine is chosen, what it says about itself, and what it never says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from cluster.settings import ClusterSettings
from serve.chat.settings import Endpoint
from serve.core.messages import NO_ENGINE
from serve.core.settings import ModelSettings
from serve.doctor import explain_engines
from serve.tasks.engine_labels import engine_label
from serve.tasks.text.choice import choose_text
from serve.tasks.text.load import load_text
from serve.tasks.text.messages import TEXT
from serve.tasks.text.profile import TextProfile
from serve.testing.tiny_models.archives import CHAT

KEY = "sk-doctor-never-shows-this"
ENDPOINT = Endpoint("http://127.0.0.1:9/v1", "some-model", SecretStr(KEY))


def test_without_any_model_the_offline_engine_selects_sentences(tmp_path: Path) -> None:
    info = choose_text(TextProfile(), None, tmp_path).info
    assert (info.engine, info.only_selects) == ("extractive", True)
    assert info.text_types == {"minutes", "short", "long", "blog"}
    assert not info.languages
    assert "SAGASCRIPT_CHAT_URL" in info.reason
    assert engine_label(info.engine, info.model) == "Sentence selection (built in)"


def test_a_chat_model_in_the_models_folder_is_used(chat_root: Path) -> None:
    info = choose_text(TextProfile(), None, chat_root).info
    assert (info.engine, info.model, info.only_selects) == ("ct2_llm", CHAT, False)
    assert info.token_limit == 8192


def test_an_endpoint_comes_first(chat_root: Path) -> None:
    info = choose_text(TextProfile(), ENDPOINT, chat_root).info
    assert (info.engine, info.model, info.device) == ("openai", "some-model", "remote")
    assert info.token_limit == ENDPOINT.context_tokens


def test_the_model_that_the_profile_names_comes_before_others(chat_root: Path, tmp_path: Path) -> None:
    for name in ("a-chat", "b-chat"):
        (tmp_path / name).symlink_to(chat_root / CHAT)
    assert choose_text(TextProfile(models=("b-chat",)), None, tmp_path).info.model == "b-chat"
    assert choose_text(TextProfile(), None, tmp_path).info.model == "a-chat"


def test_a_speech_model_is_no_chat_model(tmp_path: Path) -> None:
    folder = tmp_path / "whisper"
    folder.mkdir()
    for name in ("model.bin", "tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_text("{}")
    assert choose_text(TextProfile(), None, tmp_path).info.engine == "extractive"


@pytest.mark.parametrize("engine", ["ct2_llm", "transformers", "openai"])
def test_an_engine_that_is_required_and_missing_says_what_to_do(tmp_path: Path, engine: str) -> None:
    info = choose_text(TextProfile.model_validate({"engine": engine}), None, tmp_path).info
    assert info.engine == NO_ENGINE
    assert info.reason.startswith("The profile requires")


def test_a_model_that_cannot_be_loaded_is_replaced_by_the_offline_engine(chat_root: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for path in (chat_root / CHAT).iterdir():
        (broken / path.name).write_bytes(path.read_bytes())
    (broken / "model.bin").write_bytes(b"no model")
    loaded = load_text(TextProfile(), choose_text(TextProfile(), None, tmp_path))
    assert loaded.info.engine == "extractive"
    assert "“broken” cannot be loaded" in loaded.info.reason


def test_doctor_says_that_an_endpoint_is_used_and_not_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_CHAT_URL", ENDPOINT.url)
    monkeypatch.setenv("SAGASCRIPT_CHAT_KEY", KEY)
    explained = explain_engines(
        ClusterSettings(profile="embedded", models_dir=tmp_path), ModelSettings(allow_hub=False)
    )
    (text,) = (info for info in explained if info.task == TEXT)
    assert text.engine == "openai"
    assert KEY not in repr(explained)
    assert KEY not in json.dumps([str(info) for info in explained])
