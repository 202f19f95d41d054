from __future__ import annotations

import pytest

from serve.core.capability import knows_language
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label


@pytest.mark.parametrize(
    ("engine", "model", "label"),
    [
        ("pocketsphinx", "en-us", "PocketSphinx (built in, English only)"),
        ("pocketsphinx", "en-us (is: whisper-is)", "PocketSphinx (built in)"),
        ("whisper", "large-v3", "Whisper large-v3"),
        ("whisper", "/srv/secret/models/faster-whisper-small", "Whisper small"),
        ("whisper", "whisper", "Whisper"),
        ("ct2", "quickmt-en-is, quickmt-is-en", "quickmt-en-is, quickmt-is-en"),
        ("apertium", "apertium", "Apertium"),
        ("extractive", "extractive", "Sentence selection (built in)"),
        ("sherpa", "/srv/models/speakers", "sherpa-onnx speakers"),
    ],
)
def test_an_engine_is_named_in_words_and_without_the_servers_folders(engine: str, model: str, label: str) -> None:
    assert engine_label(engine, model) == label


def test_an_engine_that_lists_no_languages_knows_every_one() -> None:
    assert knows_language(EngineInfo("transcription", "other", "m", "cpu", ""), "is")
    english = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "", frozenset({"en"}))
    assert knows_language(english, "en")
    assert not knows_language(english, "is")
