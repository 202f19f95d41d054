"""Which translation engine would run: by what is on the machine, without loading anything."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from serve.chat.settings import Endpoint
from serve.core.messages import NO_ENGINE
from serve.tasks.translation.apertium.engine import installed_modes
from serve.tasks.translation.choice import choose, explain, info_of
from serve.tasks.translation.pairs import PairSet
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.seq2seq.form import Form
from serve.tasks.translation.seq2seq.model_folder import recognise
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.testing.translation import NO_HUB

M2M100 = ["<s>", "__en__", "__is__", "__zh__", "a"]
NLLB = ["<s>", "eng_Latn", "isl_Latn", "zho_Hant", "zho_Hans", "nob_Latn", "prs_Arab"]
MADLAD = ["<unk>", "<2en>", "<2is>", "<2zh_Hant>"]
MARIAN_MANY = ["</s>", ">>isl<<", ">>nob<<", "▁a"]
MARIAN = ["</s>", "▁a", "__", "<2"]


@pytest.fixture(autouse=True)
def without_rules(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A machine without Apertium."""
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("bin")))


def model_folder(root: Path, name: str, vocabulary: list[str], licence: str = "", start: str = "</s>") -> Path:
    """The files by which a model is recognised; nothing here loads it."""
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"add_source_eos": False, "decoder_start_token": start}))
    (folder / "model.bin").write_bytes(b"weights")
    (folder / "source.spm").write_bytes(b"")
    (folder / "target.spm").write_bytes(b"")
    (folder / "shared_vocabulary.json").write_text(json.dumps(vocabulary))
    if licence:
        (folder / "README.md").write_text(f"---\nlanguage: is\nlicense: {licence}\n---\n# {name}\n")
    return folder


@pytest.mark.parametrize(
    ("name", "vocabulary", "form", "pairs"),
    [
        ("m2m100_418M", M2M100, Form.M2M100, PairSet(mutual=frozenset({"en", "is", "zh"}))),
        ("nllb", NLLB, Form.NLLB, PairSet(mutual=frozenset({"en", "is", "zh", "zh-TW", "no", "fa-AF"}))),
        ("madlad400-3b", MADLAD, Form.MADLAD, PairSet(mutual=frozenset({"en", "is", "zh-TW"}))),
        ("opus-mt-en-gmq", MARIAN_MANY, Form.MARIAN_MANY, PairSet(frozenset({("en", "is"), ("en", "no")}))),
        ("opus-mt-en-is", MARIAN, Form.PAIR, PairSet(frozenset({("en", "is")}))),
        ("Helsinki-NLP--opus-mt-isl-eng-ct2", MARIAN, Form.PAIR, PairSet(frozenset({("is", "en")}))),
        ("opus-mt-en-is-hf", MARIAN, Form.PAIR, PairSet(frozenset({("en", "is")}))),
        ("mymodel", MARIAN, Form.PAIR, PairSet()),
    ],
)
def test_published_forms_and_their_languages(
    tmp_path: Path, name: str, vocabulary: list[str], form: Form, pairs: PairSet
) -> None:
    model = recognise(model_folder(tmp_path, name, vocabulary))
    assert model is not None
    assert (model.engine, model.form, model.pairs) == ("ct2", form, pairs)
    assert model.appends_end


def test_models_of_opennmt_get_no_end_token(tmp_path: Path) -> None:
    model = recognise(model_folder(tmp_path, "quickmt-en-is", MARIAN, start="<s>"))
    assert model is not None
    assert not model.appends_end


def test_folders_of_other_models_are_no_translation_models(tmp_path: Path) -> None:
    speech = model_folder(tmp_path, "whisper-is", [])
    (speech / "shared_vocabulary.json").rename(speech / "vocabulary.json")
    assert recognise(speech) is None
    broken = model_folder(tmp_path, "opus-mt-en-de", MARIAN)
    (broken / "config.json").write_text("{")
    assert recognise(broken) is None
    assert recognise(tmp_path / "absent") is None


def test_nothing_installed_says_what_to_do(tmp_path: Path) -> None:
    info = explain(TranslationProfile(), NO_HUB, tmp_path)
    assert info.engine == NO_ENGINE
    assert not info.can_run
    assert "models pull" in info.reason
    assert "Apertium" in info.reason


def test_a_licence_that_forbids_commercial_use_needs_the_switch(tmp_path: Path) -> None:
    model_folder(tmp_path, "nllb", NLLB)
    model_folder(tmp_path, "opus-mt-en-is", MARIAN, licence="apache-2.0")
    info = explain(TranslationProfile(), NO_HUB, tmp_path)
    assert (info.model, info.licence) == ("opus-mt-en-is", "apache-2.0")
    assert "SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS" in info.reason
    allowed = explain(TranslationProfile(), NO_HUB.model_copy(update={"allow_noncommercial_models": True}), tmp_path)
    assert allowed.languages == {"en", "is", "zh", "zh-TW", "no", "fa-AF"}
    assert allowed.pairs is None


def test_pairs_of_models_and_through_english(tmp_path: Path) -> None:
    for name in ("quickmt-is-en", "quickmt-en-is", "opus-mt-en-es"):
        model_folder(tmp_path, name, MARIAN)
    pairs = explain(TranslationProfile(), NO_HUB, tmp_path).pairs
    assert pairs is not None
    assert {(pair.source, pair.target): pair.via for pair in pairs} == {
        ("is", "en"): "",
        ("en", "is"): "",
        ("en", "es"): "",
        ("is", "es"): "en",
    }


def test_models_are_found_below_their_owner_and_unfinished_ones_are_not(tmp_path: Path) -> None:
    model_folder(tmp_path / "Helsinki-NLP", "opus-mt-en-is", MARIAN)
    model_folder(tmp_path / ".downloads", "opus-mt-en-de", MARIAN)
    assert explain(TranslationProfile(), NO_HUB, tmp_path).model == "opus-mt-en-is"


def test_a_named_model_that_is_not_there_is_said_without_its_folder(tmp_path: Path) -> None:
    info = explain(TranslationProfile(models={"en-is": "/secret/place/quickmt-en-is"}), NO_HUB, tmp_path)
    assert "“quickmt-en-is” is neither a folder" in info.reason
    assert "secret" not in info.reason


def test_an_endpoint_is_used_with_the_models_behind_it(tmp_path: Path) -> None:
    unpack(TRANSLATION, tmp_path)
    endpoint = Endpoint("http://127.0.0.1:1/v1", "qwen", None)
    info = info_of(TranslationProfile(), choose(TranslationProfile(), NO_HUB, tmp_path, endpoint))
    assert (info.engine, info.model, info.device) == ("llm", "qwen", "remote")
    assert TRANSLATION in info.reason
    assert info.takes_vocabulary
    only = TranslationProfile(engine="ct2")
    assert info_of(only, choose(only, NO_HUB, tmp_path, endpoint)).engine == "ct2"


def test_the_engine_llm_without_a_chat_model_cannot_run(tmp_path: Path) -> None:
    info = explain(TranslationProfile(engine="llm"), NO_HUB, tmp_path)
    assert not info.can_run
    assert "SAGASCRIPT_CHAT_URL" in info.reason


def test_a_folder_is_looked_at_again_when_a_file_gets_its_name(tmp_path: Path) -> None:
    """As at the end of a copy: sizes and times stay the same."""
    folder = model_folder(tmp_path, "nllb", NLLB)
    (folder / "model.bin").rename(folder / "model.bin.new")
    assert recognise(folder) is None
    (folder / "model.bin.new").rename(folder / "model.bin")
    assert recognise(folder) is not None


@pytest.mark.parametrize(("language", "later_ns"), [("french_Latn", 0), ("fra_Latn", 1)])
def test_a_folder_is_looked_at_again_when_only_size_or_time_differ(
    tmp_path: Path, language: str, later_ns: int
) -> None:
    folder = model_folder(tmp_path, "nllb", NLLB)
    vocabulary = folder / "shared_vocabulary.json"
    before, times = recognise(folder), vocabulary.stat()
    assert before is not None
    assert "is" in before.tokens
    vocabulary.write_text(vocabulary.read_text().replace("isl_Latn", language))
    os.utime(vocabulary, ns=(times.st_atime_ns, times.st_mtime_ns + later_ns))
    after = recognise(folder)
    assert after is not None
    assert "is" not in after.tokens


def test_pairs_of_apertium_count_as_soon_as_they_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    program = tmp_path / "apertium"
    for modes in ("eng-spa", "eng-spa isl-eng"):
        program.write_text(f"#!/bin/sh\necho {modes}\n")
        program.chmod(0o755)
        assert len(installed_modes()) == len(modes.split())
