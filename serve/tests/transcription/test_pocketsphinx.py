"""The offline engine on speech made by flite."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine

SENTENCE = "we will meet again in the morning"
SHORT = "please open the door"
SECOND = b"\0\0" * 16_000


@pytest.fixture(scope="module")
def engine() -> Iterator[PocketSphinxEngine]:
    made = PocketSphinxEngine(reason="Test.", parallel=1)
    yield made
    made.close()


def only(engine: PocketSphinxEngine, pcm: bytes, *, start_ms: int = 0, language: str | None = "en") -> WindowResult:
    (outcome,) = engine.run([AudioWindow("file", 3, start_ms, pcm, DecodeOptions(language=language))])
    assert isinstance(outcome, WindowResult)
    return outcome


def test_exact_words_with_times_on_the_clock_of_the_file(
    engine: PocketSphinxEngine, say: Callable[[str], bytes]
) -> None:
    pcm = say(SENTENCE)
    result = only(engine, SECOND + pcm, start_ms=60_000)
    (segment,) = result.segments
    assert (result.index, result.language, result.language_probability) == (3, "en", 1.0)
    assert segment.text == SENTENCE
    assert [word.text for word in segment.words] == SENTENCE.split()
    edges = [edge for word in segment.words for edge in (word.start_ms, word.end_ms)]
    assert edges == sorted(edges)
    assert edges[0] >= 60_950
    assert edges[-1] <= 61_000 + len(pcm) // 32
    assert all(0.0 < word.confidence <= 1.0 for word in segment.words)


@pytest.mark.long
def test_a_pause_ends_a_segment(engine: PocketSphinxEngine, say: Callable[[str], bytes]) -> None:
    result = only(engine, say(SHORT) + SECOND * 2 + say(SENTENCE))
    assert [segment.text for segment in result.segments] == [SHORT, SENTENCE]


def test_silence_and_nothing_have_no_words(engine: PocketSphinxEngine) -> None:
    assert only(engine, SECOND * 3).segments == ()
    assert only(engine, b"").segments == ()


@pytest.mark.long
def test_an_unknown_language_is_refused_with_a_sentence(
    engine: PocketSphinxEngine, say: Callable[[str], bytes]
) -> None:
    pcm = say(SHORT)
    icelandic, english = engine.run(
        [AudioWindow("a", 0, 0, pcm, DecodeOptions(language="is")), AudioWindow("b", 1, 0, pcm)]
    )
    assert isinstance(icelandic, EngineRefused)
    assert icelandic.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "only English" in icelandic.sentence
    assert isinstance(english, WindowResult)
    assert english.segments[0].text == SHORT


@pytest.mark.long
def test_a_language_not_given_is_taken_for_english_without_claiming_to_know(
    engine: PocketSphinxEngine, say: Callable[[str], bytes]
) -> None:
    result = only(engine, say(SHORT), language=None)
    assert (result.language, result.language_probability) == ("en", 0.0)
    assert engine.detect(AudioWindow("file", 0, 0, SECOND)).candidates == (("en", 0.0),)


def test_damaged_samples_are_refused(engine: PocketSphinxEngine) -> None:
    odd, long = engine.run([AudioWindow("a", 0, 0, b"\1\2\3"), AudioWindow("b", 1, 0, SECOND * 31)])
    for refused in (odd, long):
        assert isinstance(refused, EngineRefused)
        assert refused.problem is EngineProblem.BAD_INPUT


@pytest.mark.long
def test_a_decoder_that_dies_is_replaced(say: Callable[[str], bytes]) -> None:
    engine = PocketSphinxEngine(reason="Test.")
    window = AudioWindow("file", 0, 0, say(SHORT))
    assert isinstance(engine.run([window])[0], WindowResult)
    process = engine._all[0]._process
    assert process is not None
    process.kill()
    process.wait()
    (outcome,) = engine.run([window])
    assert isinstance(outcome, WindowResult)
    assert outcome.segments[0].text == SHORT
    engine.close()
    assert engine._all[0]._process is None
