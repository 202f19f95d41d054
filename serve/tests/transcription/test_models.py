"""Finding a model: first on this machine, on the hub only where allowed, and never with a long wait."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.settings import ClusterSettings
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port
from serve.core.messages import NO_ENGINE
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.doctor import explain_engines
from serve.profile import BadProfile, load_profile
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.whisper_search import hub_problem
from serve.testing.tiny_models.archives import WHISPER, unpack

NO_HUB = ModelSettings(allow_hub=False)


@pytest.fixture(autouse=True)
def own_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty hub cache, and a new check of the hub in each test."""
    cache = tmp_path / "hub"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    hub_problem.cache_clear()
    yield cache
    hub_problem.cache_clear()


def profile(*, engine: str = "auto", hub: bool = False) -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"engine": engine, "models": ["small", "tiny"], "hub": hub})


def fake_model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("model.bin", "tokenizer.json"):
        (folder / name).touch()
    return folder


def test_a_folder_in_the_models_folder_is_used(tmp_path: Path) -> None:
    folder = fake_model(tmp_path / "models" / "faster-whisper-tiny")
    choice = choose_transcription(profile(), NO_HUB, tmp_path / "models")
    assert choice.whisper is not None
    assert choice.whisper.path == folder
    assert "models folder" in choice.reason


def test_the_setting_comes_before_the_models_folder(tmp_path: Path) -> None:
    fake_model(tmp_path / "models" / "whisper")
    folder = fake_model(tmp_path / "elsewhere")
    choice = choose_transcription(
        profile(), ModelSettings(whisper_model=str(folder), allow_hub=False), tmp_path / "models"
    )
    assert choice.whisper is not None
    assert choice.whisper.path == folder


def test_the_best_model_in_the_hub_cache_is_used(tmp_path: Path, own_hub_cache: Path) -> None:
    repository = own_hub_cache / "models--Systran--faster-whisper-tiny"
    folder = fake_model(repository / "snapshots" / "abc")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    choice = choose_transcription(profile(), NO_HUB, tmp_path / "models")
    assert choice.whisper is not None
    assert choice.whisper.path == folder
    assert "hub cache" in choice.reason


def test_offline_a_model_without_a_tokenizer_is_told_and_the_hub_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """faster-whisper would ask the hub for the tokenizer: six requests, 23 s without a network."""
    folder = unpack(WHISPER, tmp_path / "models").rename(tmp_path / "models" / "whisper")
    (folder / "tokenizer.json").unlink()
    asked: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, address: asked.append(address))
    for settings in (NO_HUB, ModelSettings(whisper_model=str(folder), allow_hub=False)):
        engine = load_transcription(profile(), settings, tmp_path / "models")
        assert f"{folder} has no tokenizer.json" in engine.info.reason
        assert "has no model.bin" not in engine.info.reason
        with pytest.raises(ModelMissing, match=r"has no tokenizer\.json; copy it"):
            choose_transcription(profile(engine="whisper"), settings, tmp_path / "models")
    assert not asked


def test_without_any_model_the_offline_engine_is_used_and_says_why(tmp_path: Path) -> None:
    choice = choose_transcription(profile(), NO_HUB, tmp_path / "models")
    assert choice.whisper is None
    assert "offline engine" in choice.reason
    assert "the hub may not be used" in choice.reason
    assert len(choice.missing) == 1


def test_what_is_missing_is_named_while_the_hub_is_left_to_others(tmp_path: Path) -> None:
    settings = ModelSettings(whisper_model="small", whisper_models={"is": "someone/whisper-is"}, allow_hub=True)
    choice = choose_transcription(profile(), settings, tmp_path / "models", may_download=False)
    assert choice.missing == ("someone/whisper-is", "small")
    fake_model(tmp_path / "models" / "faster-whisper-small")
    fake_model(tmp_path / "models" / "someone" / "whisper-is")
    assert choose_transcription(profile(), settings, tmp_path / "models", may_download=False).missing == ()


def test_a_profile_that_insists_on_whisper_fails_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="there is no Whisper model"):
        choose_transcription(profile(engine="whisper"), NO_HUB, tmp_path / "models")


def test_a_hub_that_never_answers_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine accepts the connection and stays silent, like a firewall."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        settings = ModelSettings(allow_hub=True, hub_timeout_s=0.3)
        choice = choose_transcription(profile(), settings, tmp_path / "models")
        again = choose_transcription(profile(), settings, tmp_path / "models")
        silent.settimeout(PATIENCE_S)
        silent.accept()
        silent.settimeout(0.1)
        with pytest.raises(TimeoutError):
            silent.accept()
    assert choice == again
    assert choice.whisper is None
    assert "0.3 seconds" in choice.reason or "cannot be reached" in choice.reason


def test_an_unreachable_hub_is_distinguished_from_one_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    problem = hub_problem(2.0)
    assert problem is not None
    assert "cannot be reached" in problem
    hub_problem.cache_clear()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    problem = hub_problem(2.0)
    assert problem is not None
    assert "switched off" in problem


def test_a_language_may_have_its_own_model(tmp_path: Path) -> None:
    folder = fake_model(tmp_path / "models" / "whisper-icelandic")
    settings = ModelSettings(whisper_models={"is": "icelandic", "de": "/nowhere"}, allow_hub=False)
    choice = choose_transcription(profile(), settings, tmp_path / "models")
    assert {language: found.path for language, found in choice.by_language.items()} == {"is": folder}
    assert "/nowhere" in choice.reason


def test_the_real_model_is_loaded(models_root: Path) -> None:
    engine = load_transcription(profile(), NO_HUB, models_root)
    assert (engine.info.engine, engine.info.device) == ("whisper", "cpu")
    assert "models folder" in engine.info.reason
    engine.close()


def test_the_offline_engine_replaces_a_model_that_cannot_be_loaded(tmp_path: Path) -> None:
    fake_model(tmp_path / "whisper")
    engine = load_transcription(profile(), NO_HUB, tmp_path)
    assert engine.info.engine == "pocketsphinx"
    assert "cannot be loaded" in engine.info.reason
    engine.close()
    with pytest.raises(RuntimeError):
        load_transcription(profile(engine="whisper"), NO_HUB, tmp_path)


@pytest.mark.parametrize("name", ["embedded", "cpu", "gpu"])
def test_the_profiles_of_the_package_are_complete(name: str) -> None:
    assert load_profile(name).name == name


def test_auto_is_one_of_them() -> None:
    assert load_profile("auto").name in {"embedded", "gpu"}


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("transcription: {engine: pocketsphinx, models: [tiny], hub: false}")
    assert load_profile(str(path)).require(TranscriptionProfile).engine == "pocketsphinx"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("transcription: {engine: siri, models: [tiny], hub: false}", "transcription.engine"),
        ("transcription: {models: [tiny], hub: false, speed: 9}", "transcription.speed"),
        ("- a list", "must hold one section for each task: .*transcription"),
        ("a: [", "is not YAML"),
        (
            "{transcription: {models: [tiny], hub: false}, tanslation: {}}",
            "“tanslation”. Sections are: .*transcription",
        ),
        ("name: mine", "sections that no task reads: “name”"),
    ],
)
def test_a_wrong_profile_says_what_is_wrong(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(BadProfile, match=problem):
        load_profile(str(path))


def test_a_missing_profile_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadProfile, match="embedded, cpu, gpu"):
        load_profile("huge")
    with pytest.raises(BadProfile, match="cannot be read"):
        load_profile(str(tmp_path / "gone.yaml"))


def test_doctor_explains_the_engine_without_loading_it(tmp_path: Path, models_root: Path) -> None:
    without, *_ = explain_engines(ClusterSettings(profile="embedded", models_dir=tmp_path), NO_HUB)
    assert (without.engine, without.languages) == ("pocketsphinx", frozenset({"en"}))
    assert "embedded" in without.reason
    # A folder with a broken model is found as well: nothing is loaded here.
    fake_model(tmp_path / "whisper")
    found, *_ = explain_engines(ClusterSettings(profile="embedded", models_dir=tmp_path), NO_HUB)
    assert (found.engine, found.model) == ("whisper", str(tmp_path / "whisper"))
    wrong, *_ = explain_engines(ClusterSettings(profile="huge", models_dir=tmp_path), NO_HUB)
    assert wrong.engine == NO_ENGINE
    assert "huge" in wrong.reason
