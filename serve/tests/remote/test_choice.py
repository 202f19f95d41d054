"""When a speech endpoint is used, beside which local models, and where its key may appear."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve.core.messages import WordTimes
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.transcription.load import load_chosen
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.registration import DEPLOYMENT
from serve.tasks.transcription.remote.settings import SpeechEndpoint, SpeechSettings
from serve.testing.speech_endpoint import MODEL, StandInSpeech, speech_endpoint

KEY = "sk-only-for-the-replica"


def where(endpoint: StandInSpeech) -> SpeechEndpoint:
    return SpeechEndpoint(endpoint.url, MODEL, None)


@pytest.fixture
def endpoint() -> Iterator[StandInSpeech]:
    with speech_endpoint(lambda _call: {"text": "Good morning.", "words": []}) as running:
        yield running


def test_the_endpoint_comes_before_local_models_but_not_before_those_that_settings_name(
    endpoint: StandInSpeech, models_root: Path, parakeet_model: Path
) -> None:
    profile = TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1})
    plain = ModelSettings(allow_hub=False)
    choice = choose_transcription(profile, plain, models_root, where(endpoint))
    assert (choice.whisper, choice.models, choice.missing) == (None, [], ())
    assert "SAGASCRIPT_SPEECH_URL" in choice.reason
    assert choose_transcription(profile, plain, models_root, None).whisper is not None
    named = ModelSettings(
        allow_hub=False,
        whisper_models={"is": str(models_root / "whisper")},
        sherpa_models=(str(parakeet_model),),
    )
    choice = choose_transcription(profile, named, models_root, where(endpoint))
    engine = load_chosen(profile, named, choice)
    info = engine.info
    assert info.engine == "remote"
    assert {part.engine for part in info.by_language} == {"whisper", "parakeet"}
    assert not info.languages, "the endpoint takes every language that they do not"
    assert info.word_times is WordTimes.NATIVE
    engine.close()
    strict = profile.model_copy(update={"engine": "remote"})
    with pytest.raises(ModelMissing, match="SAGASCRIPT_SPEECH_URL"):
        choose_transcription(strict, plain, models_root, None)
    local = profile.model_copy(update={"engine": "whisper"})
    assert choose_transcription(local, plain, models_root, where(endpoint)).endpoint is None


def test_the_settings_make_the_endpoint_and_no_text_form_holds_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = SpeechSettings(speech_url="http://me:secret@127.0.0.1:8000/v1", speech_key=SecretStr(KEY))
    endpoint = settings.endpoint
    assert endpoint is not None
    assert endpoint.host == "127.0.0.1:8000"
    for value in (settings, endpoint):
        assert KEY not in repr(value)
        assert KEY not in str(value)
    assert KEY not in settings.model_dump_json()
    assert SpeechSettings().endpoint is None
    monkeypatch.setenv("SAGASCRIPT_SPEECH_URL", "http://127.0.0.1:9/v1")
    profile = TranscriptionProfile.model_validate({"models": ["small"], "hub": False})
    info = DEPLOYMENT.explain(profile, ModelSettings(allow_hub=False), tmp_path)
    assert (info.engine, info.device) == ("remote", "remote"), "explained without a request"
