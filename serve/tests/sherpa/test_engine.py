"""Parakeet in the real sherpa-onnx with a tiny trained transducer: exact words, alone and in batches."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from serve.core.messages import EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.testing.speech import SpokenClip
from serve.testing.tiny_parakeet.script import LANGUAGES

SECOND = b"\0\0" * 16_000


@pytest.fixture(scope="module")
def known(clips: list[SpokenClip]) -> list[SpokenClip]:
    """The clips in the model's languages."""
    return [clip for clip in clips if clip.lang in LANGUAGES]


def results(outcomes: Iterable[object]) -> list[WindowResult]:
    found = list(outcomes)
    assert all(isinstance(outcome, WindowResult) for outcome in found), found
    return [outcome for outcome in found if isinstance(outcome, WindowResult)]


def text_of(result: WindowResult) -> str:
    return " ".join(segment.text for segment in result.segments)


def exactly(result: WindowResult) -> list[tuple[int, int, str, float]]:
    """The words with their times; sums over a batch differ in the last bits, and so do probabilities."""
    words = [word for segment in result.segments for word in segment.words]
    return [(word.start_ms, word.end_ms, word.text, round(word.confidence, 3)) for word in words]


def in_its_language(clip: SpokenClip, index: int = 0, start_ms: int = 0) -> AudioWindow:
    return clip.window(index=index, start_ms=start_ms, options=DecodeOptions(language=clip.lang))


def test_exact_words_of_each_clip_alone(parakeet: SherpaEngine, known: list[SpokenClip]) -> None:
    texts = {clip.id: text_of(results(parakeet.run([in_its_language(clip)]))[0]) for clip in known}
    assert texts == {clip.id: clip.text for clip in known}


@pytest.mark.long
def test_a_batch_of_mixed_languages_gives_what_each_window_gives_alone(
    parakeet: SherpaEngine, known: list[SpokenClip]
) -> None:
    batch = [in_its_language(clip, index, index * 1000) for index, clip in enumerate(known)]
    together = results(parakeet.run(batch))
    alone = [result for window in batch for result in results(parakeet.run([window]))]
    assert [exactly(result) for result in together] == [exactly(result) for result in alone]
    assert [result.language for result in together] == [clip.lang for clip in known]
    assert not [segment.doubts for result in together for segment in result.segments if segment.doubts]


def test_word_times_come_from_the_decoding_on_the_clock_of_the_file(
    parakeet: SherpaEngine, known: list[SpokenClip]
) -> None:
    for clip in known:
        (result,) = results(parakeet.run([in_its_language(clip, start_ms=90_000)]))
        words = [word for segment in result.segments for word in segment.words]
        assert all(one.end_ms <= other.start_ms for one, other in pairwise(words)), clip.id
        assert all(90_000 <= word.start_ms < word.end_ms <= 90_000 + clip.window().duration_ms for word in words)
        assert all(0.0 < word.confidence <= 1.0 for word in words)
        assert (result.segments[0].start_ms, result.segments[-1].end_ms) == (words[0].start_ms, words[-1].end_ms)


def test_a_pause_of_two_seconds_lies_between_two_sentences(parakeet: SherpaEngine, known: list[SpokenClip]) -> None:
    one, other = (next(clip for clip in known if clip.id == name) for name in ("en1-rms", "en3-rms"))
    pcm = one.pcm + SECOND * 2 + other.pcm
    (result,) = results(parakeet.run([AudioWindow("both", 0, 0, pcm, DecodeOptions(language="en"))]))
    assert [segment.text for segment in result.segments] == [one.text, other.text]
    first, second = result.segments
    assert first.end_ms <= one.window().duration_ms
    assert second.start_ms >= one.window().duration_ms + 2000


@pytest.mark.long
def test_threads_share_the_model(parakeet: SherpaEngine, known: list[SpokenClip]) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda clip: text_of(results(parakeet.run([in_its_language(clip)]))[0]), known * 2))
    assert found == [clip.text for clip in known * 2]


@pytest.mark.parametrize("sound", ["nothing", "silence", "noise", "one sample"])
def test_nothing_is_invented_where_nobody_speaks(parakeet: SherpaEngine, sound: str) -> None:
    time = np.arange(5 * 16_000)
    wave = {
        "nothing": time[:0],
        "silence": 0 * time,
        "noise": np.random.default_rng(3).normal(0, 0.05, len(time)),
        "one sample": np.array([0.9]),
    }[sound]
    pcm = (np.clip(wave, -1, 1) * 32_767).astype("<i2").tobytes()
    (result,) = results(parakeet.run([AudioWindow("quiet", 3, 0, pcm, DecodeOptions(language="de"))]))
    assert (result.index, result.segments, result.language) == (3, (), "de")


def test_what_it_cannot_do_is_refused_with_a_sentence_and_leaves_the_neighbours_alone(
    parakeet: SherpaEngine, known: list[SpokenClip]
) -> None:
    clip = known[0]
    icelandic, unnamed, torn, fine = parakeet.run(
        [
            clip.window(options=DecodeOptions(language="is")),
            clip.window(),
            AudioWindow("torn", 0, 0, b"\0\0\0", DecodeOptions(language="en")),
            in_its_language(clip),
        ]
    )
    assert isinstance(icelandic, EngineRefused)
    assert isinstance(unnamed, EngineRefused)
    assert isinstance(torn, EngineRefused)
    assert (icelandic.problem, unnamed.problem) == (EngineProblem.UNKNOWN_LANGUAGE,) * 2
    assert "does not support the language “is”" in icelandic.sentence
    assert "cannot detect the language" in unnamed.sentence
    assert torn.problem is EngineProblem.BAD_INPUT
    assert text_of(results([fine])[0]) == clip.text
    with pytest.raises(EngineRefused, match="cannot detect the language"):
        parakeet.detect(clip.window())


def test_its_record_says_what_it_can_do(parakeet: SherpaEngine) -> None:
    info = parakeet.info
    assert (info.engine, info.device, info.licence) == ("parakeet", "cpu", "CC-BY-4.0")
    assert info.word_times is WordTimes.NATIVE
    assert not info.detects_language
    assert not info.takes_vocabulary, "the tiny model has no pieces of single letters"
    assert len(info.languages) == 25
    assert "is" not in info.languages
    assert "NVIDIA" in info.note


def test_only_windows_of_nearly_one_length_share_a_call(parakeet: SherpaEngine) -> None:
    def key(seconds: int, language: str) -> object:
        return parakeet.batch_key(AudioWindow("a", 0, 0, SECOND * seconds, DecodeOptions(language=language)))

    assert key(3, "en") == key(8, "de")
    assert key(3, "en") != key(25, "en")
