"""Two real engines as one: English goes to the offline engine, everything else to the tiny Whisper."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.by_language import ByLanguageEngine
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip

SENTENCE = "we will meet again in the morning"


@pytest.fixture(scope="module")
def both(whisper: WhisperEngine) -> Iterator[ByLanguageEngine]:
    english = PocketSphinxEngine(reason="Test.")
    yield ByLanguageEngine(whisper, {"en": english})
    english.close()


def test_each_window_goes_to_the_engine_of_its_language(
    both: ByLanguageEngine, clips: list[SpokenClip], say: Callable[[str], bytes]
) -> None:
    icelandic = next(clip for clip in clips if clip.lang == "is")
    # Only Whisper writes "The weather is fine today." with a capital and a full stop.
    english = next(clip for clip in clips if clip.id == "en1-rms")
    outcomes = both.run(
        [
            icelandic.window(options=DecodeOptions(language="is")),
            AudioWindow("said", 1, 0, say(SENTENCE), DecodeOptions(language="en")),
            icelandic.window(index=2),
            english.window(index=3),
            english.window(index=4, options=DecodeOptions(language="tlh")),
        ]
    )
    results = [outcome for outcome in outcomes if isinstance(outcome, WindowResult)]
    assert [result.index for result in results] == [0, 1, 2, 3]
    assert [result.segments[0].text for result in results] == [
        icelandic.text,
        SENTENCE,
        icelandic.text,
        "the weather is fine today",
    ]
    assert 0.5 < results[3].language_probability <= 1.0
    refused = outcomes[4]
    assert isinstance(refused, EngineRefused)
    assert refused.problem is EngineProblem.UNKNOWN_LANGUAGE


def test_it_names_all_its_models_and_languages(both: ByLanguageEngine) -> None:
    assert both.info.model == "phrasebook (en: en-us)"
    assert {"en", "is"} <= both.info.languages
