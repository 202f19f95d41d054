"""Several models of sherpa-onnx beside Whisper: each language to the first that knows it, the rest to the last."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from serve.core.capability import engine_for, knows_language
from serve.core.settings import ModelSettings
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.registration import DEPLOYMENT
from serve.testing.speech import SpokenClip
from serve.testing.tiny_sherpa.script import text_of

NO_HUB = ModelSettings(allow_hub=False)


@pytest.fixture
def many(families: dict[str, Path], models_root: Path, tmp_path: Path) -> Path:
    """A models folder with Whisper, Canary, SenseVoice and Omnilingual."""
    (tmp_path / "whisper").symlink_to((models_root / "whisper").resolve())
    for name in ("canary", "sense_voice", "omnilingual"):
        shutil.copytree(families[name], tmp_path / families[name].name)
    return tmp_path


def profile(**changes: object) -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1, **changes})


def test_each_language_goes_to_the_first_that_knows_it(many: Path, clips: list[SpokenClip]) -> None:
    engine = load_transcription(profile(), NO_HUB, many)
    icelandic = next(clip for clip in clips if clip.id == "is1-m")
    german, japanese, faroese, icelandic_result = engine.run(
        [icelandic.window(options=DecodeOptions(language=language)) for language in ("de", "ja", "xx", "is")]
    )
    texts = []
    for outcome in (german, japanese, faroese, icelandic_result):
        assert isinstance(outcome, WindowResult), outcome
        texts.append(" ".join(segment.text for segment in outcome.segments))
    assert texts == [text_of("de"), text_of("en"), "good morning reykjavík is calm", icelandic.text]
    info = engine.info
    assert {code: engine_for(info, code).engine for code in ("de", "ja", "xx", "is")} == {
        "de": "canary",
        "ja": "sense_voice",
        "xx": "omnilingual",
        "is": "whisper",
    }
    assert knows_language(info, "xx")
    assert engine_for(info, None).engine == "whisper"
    assert "others: sherpa-onnx-omnilingual" in info.model
    assert "transcribes languages that no other model knows" in info.reason
    explained = DEPLOYMENT.explain(profile(), NO_HUB, many)
    assert {part.engine for part in explained.by_language} == {part.engine for part in info.by_language}
    engine.close()


def test_a_setting_says_which_models_come_first_and_which_rest(many: Path) -> None:
    names = [path.name for path in many.iterdir() if path.name.startswith("sherpa-onnx")]
    sense_voice = next(name for name in names if "sense-voice" in name)
    canary = next(name for name in names if "canary" in name)
    settings = ModelSettings(allow_hub=False, sherpa_models=(sense_voice, canary))
    choice = choose_transcription(profile(), settings, many)
    assert [(found.name, sorted(found.languages)) for found in choice.sherpa] == [
        (sense_voice, ["en", "ja", "ko", "yue", "zh"]),
        (canary, ["de", "es", "fr"]),
    ]
    on_gpu = choose_transcription(profile(device="cuda"), NO_HUB, many)
    assert on_gpu.sherpa == ()
    assert choose_transcription(profile(device="cuda"), settings, many).sherpa, "a setting names them"


@pytest.mark.long
def test_without_whisper_the_one_for_every_language_is_the_default(many: Path) -> None:
    (many / "whisper").unlink()
    engine = load_transcription(profile(), NO_HUB, many)
    assert engine.info.engine == "omnilingual"
    assert not engine.info.languages
    noise = AudioWindow("film", 0, 0, b"\x10\x27\xf0\xd8" * 16_000, DecodeOptions(language="fr"))
    (outcome,) = engine.run([noise])
    assert isinstance(outcome, WindowResult)
    assert outcome.segments[0].text == text_of("fr")
    engine.close()


def test_a_profile_may_require_one_of_them(many: Path) -> None:
    engine = load_transcription(profile(engine="sense_voice"), NO_HUB, many)
    assert (engine.info.engine, len(engine.info.languages)) == ("sense_voice", 5)
    engine.close()
    with pytest.raises(ValueError, match=r"There is no engine “whispr”\. Use one of auto, whisper, "):
        profile(engine="whispr")
