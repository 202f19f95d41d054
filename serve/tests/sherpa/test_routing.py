"""Which engine takes which language: Parakeet where it knows it, a language's own model first, Whisper for the rest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cluster.settings import ClusterSettings
from serve.catalogue.entry import entry_named, task_of
from serve.catalogue.installed import installed_models, is_used_by
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo, EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.doctor import explain_engines
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.messages import DecodeOptions, WindowResult
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.speech import SpokenClip

NAME = "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8"
NO_HUB = ModelSettings(allow_hub=False)


@pytest.fixture(autouse=True)
def no_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def alone(parakeet_model: Path, tmp_path: Path) -> Path:
    """A models folder with Parakeet alone."""
    (tmp_path / "models").mkdir()
    shutil.copytree(parakeet_model, tmp_path / "models" / NAME)
    return tmp_path / "models"


@pytest.fixture
def both(alone: Path, models_root: Path) -> Path:
    """A models folder with Parakeet and Whisper."""
    (alone / "whisper").symlink_to((models_root / "whisper").resolve())
    return alone


def profile(**changes: object) -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1, **changes})


def text_of(outcome: WindowResult | EngineRefused) -> str:
    assert isinstance(outcome, WindowResult), outcome
    return " ".join(segment.text for segment in outcome.segments)


def test_each_language_goes_to_its_engine_and_the_record_names_it(both: Path, clips: list[SpokenClip]) -> None:
    engine = load_transcription(profile(), NO_HUB, both)
    spanish, icelandic = (next(clip for clip in clips if clip.id == name) for name in ("es4-m", "is1-m"))
    outcomes = engine.run(
        [
            spanish.window(options=DecodeOptions(language="es")),
            icelandic.window(options=DecodeOptions(language="is")),
            spanish.window(),
        ]
    )
    assert [text_of(outcome) for outcome in outcomes] == [spanish.text, icelandic.text, spanish.text]
    named, _, detected = (outcome for outcome in outcomes if isinstance(outcome, WindowResult))
    # Only a transducer names the end of each word by its own decoding; Whisper's come from attention.
    assert named.segments == detected.segments
    assert detected.language == "es"
    assert 0.5 < detected.language_probability < 1.0
    info = engine.info
    assert (info.engine, info.model) == ("whisper", f"whisper (25 languages: {NAME})")
    assert engine_for(info, "es").engine == "parakeet"
    assert engine_label("parakeet", engine_for(info, "es").model) == "Parakeet tdt-0.6b-v3-int8"
    assert engine_for(info, "is").engine == engine_for(info, None).engine == "whisper"
    assert info.detects_language
    assert "transcribes bg, cs" in info.reason
    engine.close()


@pytest.mark.long
def test_spanish_and_german_windows_share_a_call_and_icelandic_ones_do_not(both: Path, clips: list[SpokenClip]) -> None:
    engine = load_transcription(profile(), NO_HUB, both)
    spanish, german, icelandic = (
        engine.batch_key(next(clip for clip in clips if clip.lang == lang).window(options=DecodeOptions(language=lang)))
        for lang in ("es", "de", "is")
    )
    assert spanish == german != icelandic
    engine.close()


def test_without_whisper_it_works_alone_and_says_what_is_missing(alone: Path, clips: list[SpokenClip]) -> None:
    engine = load_transcription(profile(), NO_HUB, alone)
    german = next(clip for clip in clips if clip.lang == "de")
    assert text_of(engine.run([german.window(options=DecodeOptions(language="de"))])[0]) == german.text
    assert (engine.info.engine, engine.info.detects_language) == ("parakeet", False)
    assert "There is no Whisper model" in engine.info.reason
    engine.close()


@pytest.mark.long
def test_a_model_of_its_own_comes_first_for_its_language(both: Path) -> None:
    settings = ModelSettings(allow_hub=False, whisper_models={"de": "whisper"})
    choice = choose_transcription(profile(), settings, both)
    assert "de" not in choice.languages_of(choice.sherpa[0])
    engine = load_transcription(profile(), settings, both)
    assert engine_for(engine.info, "de").engine == "whisper"
    assert engine_for(engine.info, "en").engine == "parakeet"
    engine.close()


def test_a_profile_on_a_gpu_leaves_it_out_unless_it_requires_it(both: Path) -> None:
    choice = choose_transcription(profile(device="cuda"), NO_HUB, both)
    assert choice.sherpa == ()
    assert "it runs on processors only" in choice.reason
    assert choose_transcription(profile(device="cuda", engine="parakeet"), NO_HUB, both).sherpa
    assert choose_transcription(profile(engine="whisper"), NO_HUB, both).sherpa == ()
    (both / "whisper").unlink()
    assert choose_transcription(profile(device="cuda"), NO_HUB, both).sherpa, "better than no model"


def test_a_profile_that_requires_it_says_where_to_get_it(tmp_path: Path, alone: Path) -> None:
    with pytest.raises(ModelMissing, match=r"sagascript models pull parakeet-tdt-0\.6b-v3"):
        choose_transcription(profile(engine="parakeet"), NO_HUB, tmp_path / "none")
    (alone / NAME / "tokens.txt").write_text("no tokens")
    with pytest.raises(ModelMissing, match=r"cannot be used: tokens\.txt is damaged"):
        choose_transcription(profile(engine="parakeet"), NO_HUB, alone)


def test_a_setting_names_the_folder(alone: Path, tmp_path: Path) -> None:
    elsewhere = (alone / NAME).rename(tmp_path / "mine-v3")
    settings = ModelSettings(allow_hub=False, sherpa_models=(str(elsewhere),))
    choice = choose_transcription(profile(), settings, alone)
    assert [found.path for found in choice.sherpa] == [elsewhere]
    lost = choose_transcription(profile(), ModelSettings(allow_hub=False, sherpa_models=("gone",)), alone)
    assert lost.sherpa == ()
    assert "“gone” cannot be used: it holds no model that sherpa-onnx runs here" in lost.reason


@pytest.fixture
def broken(both: Path) -> Path:
    """Recognised by its files and metadata, yet its joiner's graph is another one."""
    joiner, decoder = (both / NAME / f"{part}.int8.onnx" for part in ("joiner", "decoder"))
    shutil.copy(decoder, joiner)
    return both


def test_whisper_takes_all_languages_when_it_cannot_be_loaded(broken: Path) -> None:
    engine = load_transcription(profile(), NO_HUB, broken)
    assert (engine.info.engine, engine.info.by_language) == ("whisper", ())
    assert f"The Parakeet model “{NAME}” cannot be loaded: joiner.int8.onnx is not that part" in engine.info.reason
    engine.close()


def test_doctor_explains_it_without_loading_it(both: Path, broken: Path) -> None:
    info, *_ = explain_engines(ClusterSettings(profile="embedded", models_dir=both), NO_HUB)
    assert (info.engine, engine_for(info, "en").engine) == ("whisper", "parakeet")
    assert f"Parakeet “{NAME}” transcribes" in info.reason


def test_the_catalogue_knows_it_with_its_licence_and_maker(both: Path) -> None:
    entry = entry_named("parakeet-tdt-0.6b-v3")
    assert entry is not None
    assert (entry.folder, entry.licence, task_of(both / NAME)) == (NAME, "CC-BY-4.0", "transcription")
    assert "NVIDIA" in entry.summary
    assert all((both / NAME / marker).is_file() for marker in entry.markers)
    (installed,) = (model for model in installed_models(both) if model.folder.name == NAME)
    assert installed.name == "parakeet-tdt-0.6b-v3"
    loaded = EngineInfo("transcription", "whisper", f"small (25 languages: {NAME})", "cpu", "Test.")
    assert is_used_by(installed, loaded)
