"""Engines compared on recordings whose words are known, with real engines."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cluster.wording.message import Message
from pipelines.evidence.errors import WordErrors, has_fewer, word_errors
from pipelines.evidence.measurement import measured
from pipelines.evidence.record import EVIDENCE, EngineEvidence, ranked, recommendation
from pipelines.evidence.sample import NoSample, folder_sample, shipped_sample
from pipelines.media.sample import SAMPLE
from pipelines.messages.attempt import StageFailed
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.profile import load_profile
from serve.tasks.transcription.others.installed import installed_engines
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.tiny_parakeet.archive import parakeet_folder

SAID = "The weather is fine today."


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    folder = tmp_path / "recordings"
    folder.mkdir()
    subprocess.run(["flite", "-voice", "rms", "-t", SAID, "-o", folder / "weather.wav"], check=True)
    (folder / "weather.txt").write_text(f"{SAID}\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def no_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


def compared(models: Path, folder: Path, work: Path, language: str = "en-US") -> dict[str, EngineEvidence]:
    profile = load_profile("cpu").require(TranscriptionProfile)
    engines = installed_engines(profile, ModelSettings(allow_hub=False), models, None)
    found = measured(profile, models, engines, folder_sample(folder, language), work / "storage")
    return {each.name: each for each in found}


def test_errors_are_the_fewest_edits_and_case_and_punctuation_are_none() -> None:
    assert word_errors("Hello, World!", "hello world", "en-US") == WordErrors(2)
    found = word_errors("one two three four", "one too three four five", "en")
    assert (found.replaced, found.left_out, found.added, found.total, found.percent) == (1, 0, 1, 2, 50.0)
    assert word_errors("one two", "", "en").left_out == 2
    assert word_errors("", "spoken", "en").percent == 0
    # Each character of an unspaced script counts as a word.
    assert word_errors("今日は", "今は", "ja") == WordErrors(3, left_out=1)


def test_fewer_errors_count_only_beyond_chance() -> None:
    assert not has_fewer(WordErrors(100, replaced=9), WordErrors(100, replaced=12))
    assert has_fewer(WordErrors(100, replaced=2), WordErrors(100, replaced=20))
    assert not has_fewer(WordErrors(100, replaced=20), WordErrors(100, replaced=2))
    assert not has_fewer(WordErrors(0), WordErrors(0))


@pytest.mark.long
def test_a_sample_is_the_recordings_that_have_a_text(recordings: Path, tmp_path: Path) -> None:
    (recordings / "alone.wav").write_bytes(b"no text beside it")
    (recordings / "film.mp4").write_bytes(b"a film")
    (recordings / "film.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n", encoding="utf-8")
    sample = folder_sample(recordings, "en-US")
    assert [(each.name, each.said.strip()) for each in sample.recordings] == [
        ("film", "Good morning."),
        ("weather", SAID),
    ]
    (recordings / "film.srt").write_bytes(b"\x00\x01 no captions")
    with pytest.raises(NoSample, match=r"film\.srt cannot be read"):
        folder_sample(recordings, "en-US")
    with pytest.raises(NoSample, match="There is no folder"):
        folder_sample(tmp_path / "nowhere", "en-US")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoSample, match="holds no recording with its text"):
        folder_sample(tmp_path / "empty", "en-US")
    assert shipped_sample().recordings[0].source == SAMPLE


@pytest.mark.long
def test_each_engine_is_measured_by_itself_and_a_broken_one_harms_no_other(
    models_root: Path, recordings: Path, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    shutil.copytree((models_root / "whisper").resolve(), models / "whisper")
    shutil.copytree((models_root / "whisper").resolve(), models / "broken")
    (models / "broken" / "model.bin").write_bytes(b"no weights")
    parakeet = parakeet_folder(models)
    found = compared(models, recordings, tmp_path)
    assert list(found) == ["broken", "whisper", parakeet.name, "pocketsphinx"]
    for name in ("whisper", parakeet.name, "pocketsphinx"):
        each = found[name]
        assert (each.problem, each.errors) == ("", WordErrors(5)), name
        assert each.speed > 0
        assert each.memory > 50e6
        assert EVIDENCE.validate_json(EVIDENCE.dump_json(each)) == each
    assert found["broken"].problem.startswith("It failed: ")
    assert [each.name for each in ranked(list(found.values()))][-1] == "broken"


@pytest.mark.long
def test_a_language_that_an_engine_does_not_know_is_told(models_root: Path, recordings: Path, tmp_path: Path) -> None:
    found = compared(models_root, recordings, tmp_path, "is-IS")
    assert found["pocketsphinx"].problem == (
        "The built-in speech engine supports only English and cannot transcribe Icelandic."
    )
    assert found["whisper"].problem == ""


def test_a_recording_without_sound_ends_it_with_a_sentence(models_root: Path, recordings: Path, tmp_path: Path) -> None:
    (recordings / "weather.wav").write_bytes(b"RIFF no sound at all")
    with pytest.raises(StageFailed):
        compared(models_root, recordings, tmp_path)


def evidence(engine: str, model: str, errors: int, *, problem: str = "") -> EngineEvidence:
    info = EngineInfo("transcription", engine, model, "cpu", "Test.", name=model)
    counted = WordErrors(200, replaced=errors)
    return EngineEvidence(info, "Interview", "en-US", 60.0, datetime.now(UTC), counted, 5.0, 10**8, problem=problem)


def test_what_is_recommended_errs_clearly_less_and_says_how_to_use_it() -> None:
    used = evidence("whisper", "faster-whisper-base", 40)
    better = evidence("parakeet", "parakeet-tdt", 10)
    said = recommendation([used, better], "Whisper base")
    assert isinstance(said, Message)
    assert said == (
        "On the sample “Interview”, Parakeet parakeet-tdt makes 5.0 % errors and Whisper base, which is in use, "
        "20.0 %. To use it first, set SAGASCRIPT_SHERPA_MODELS='[\"parakeet-tdt\"]'."
    )
    assert recommendation([used, evidence("parakeet", "parakeet-tdt", 38)], "Whisper base") == (
        "On the sample “Interview”, no engine errs clearly less than Whisper base (20.0 %)."
    )
    whisper = recommendation([used, evidence("whisper", "faster-whisper-small", 10)], "Whisper base")
    assert whisper.endswith("set SAGASCRIPT_WHISPER_MODEL=faster-whisper-small.")
    # Nothing to compare with, and one that could not be measured.
    assert recommendation([used], "Whisper base") == ""
    assert recommendation([used, evidence("parakeet", "p", 0, problem="It failed.")], "Whisper base") == ""
    assert recommendation([better, evidence("moonshine", "m", 5)], "Whisper base") == ""
