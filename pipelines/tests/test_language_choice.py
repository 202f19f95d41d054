from __future__ import annotations

import pytest
from faster_whisper.tokenizer import _LANGUAGE_CODES

from pipelines.language_choice import default_language, refusal, unavailable_reason
from pipelines.languages import BROAD, REGIONAL, UNKNOWN, language_label, locale_of
from serve.core.messages import EngineInfo

SPHINX = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "", frozenset({"en"}))
WHISPER = EngineInfo("transcription", "whisper", "/models/small", "cpu", "", frozenset({"en", "is"}), True)
DANISH = EngineInfo("transcription", "whisper", "danish", "cpu", "", frozenset({"da"}))


@pytest.mark.parametrize(
    ("loaded", "preferred", "chosen"),
    [
        (None, "is-IS", "auto"),
        (WHISPER, "is-IS", "auto"),
        (SPHINX, "is-IS", "en-US"),
        (SPHINX, "en-GB", "en-GB"),
        (DANISH, "is-IS", "da-DK"),
    ],
)
def test_the_default_works_with_the_loaded_model(loaded: EngineInfo | None, preferred: str, chosen: str) -> None:
    assert default_language(loaded, preferred) == chosen
    assert unavailable_reason(loaded, chosen) is None


def test_a_refusal_names_engine_and_language_in_words() -> None:
    assert (
        refusal(SPHINX, "is-IS") == "The built-in speech engine supports only English and cannot transcribe Icelandic."
    )
    assert refusal(DANISH, "auto") == "The speech model Whisper danish cannot detect the language."
    assert "/models" not in refusal(WHISPER, "ga")


def test_every_language_that_can_be_chosen_or_detected_has_one_name() -> None:
    labels: dict[str, set[str]] = {}
    for option in (*REGIONAL, *BROAD):
        labels.setdefault(option.value, set()).add(option.label)
    assert {code: names for code, names in labels.items() if len(names) > 1} == {}
    assert language_label("pt-PT") == "Portuguese (Portugal)"
    assert language_label("fr-CA") == "French (Canada)"
    assert [code for code in _LANGUAGE_CODES if language_label(locale_of(code)) == UNKNOWN] == []
