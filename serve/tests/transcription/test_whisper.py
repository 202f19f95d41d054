"""The Whisper engine with a tiny trained model: exact words, alone and in one mixed batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.doubts import Doubt
from serve.tasks.transcription.guard import Decoding
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.whisper.context import FULL_MS
from serve.tasks.transcription.whisper.decoding import ECHO_TEMPERATURE
from serve.tasks.transcription.whisper.encoding import Encoded
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip

SECOND = b"\0\0" * 16_000


def results(outcomes: Iterable[object]) -> list[WindowResult]:
    found = list(outcomes)
    assert all(isinstance(outcome, WindowResult) for outcome in found), found
    return [outcome for outcome in found if isinstance(outcome, WindowResult)]


def text_of(result: WindowResult) -> str:
    return " ".join(segment.text for segment in result.segments)


def test_exact_words_of_clips_alone(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    some = clips[::5]
    texts = {
        clip.id: text_of(results(whisper.run([clip.window(options=DecodeOptions(language=clip.lang))]))[0])
        for clip in some
    }
    assert texts == {clip.id: clip.text for clip in some}


@pytest.mark.long
def test_one_batch_of_mixed_languages_gives_the_same_exact_words(
    whisper: WhisperEngine, clips: list[SpokenClip]
) -> None:
    """All clips in one model call: half of them name their language, the other half is detected."""
    mixed = [*clips[::2], *clips[1::2]]
    batch = [
        clip.window(index=n, start_ms=n * 1000, options=DecodeOptions(language=clip.lang if n % 2 else None))
        for n, clip in enumerate(mixed)
    ]
    found = results(whisper.run(batch))
    assert [result.index for result in found] == list(range(len(mixed)))
    assert [text_of(result) for result in found] == [clip.text for clip in mixed]
    assert [result.language for result in found] == [clip.lang for clip in mixed]
    assert all(result.language_probability == 1.0 for result in found[1::2])
    assert all(0.5 < result.language_probability <= 1.0 for result in found[::2])
    assert not [segment.doubts for result in found for segment in result.segments if segment.doubts]


def test_a_temperature_draws_among_likely_texts_and_shares_no_call(
    whisper: WhisperEngine, clips: list[SpokenClip]
) -> None:
    def window(temperature: float) -> AudioWindow:
        return clips[0].window(options=DecodeOptions(language=clips[0].lang, temperature=temperature))

    assert whisper.batch_key(window(0)) != whisper.batch_key(window(1))
    (likeliest,) = whisper.recognize([whisper.checked(window(0))], FULL_MS, retry=False)
    # The tiny model is nearly sure of its words: only far above 1 are the draws plainly others.
    (drawn,) = whisper.recognize([whisper.checked(window(9))], FULL_MS, retry=False)
    assert likeliest.decoding.text == clips[0].text != drawn.decoding.text
    assert whisper.info.takes_temperature


def test_languages_are_detected(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    for clip in {clip.lang: clip for clip in clips}.values():
        candidates = whisper.detect(clip.window()).candidates
        assert candidates[0][0] == clip.lang
        assert [p for _, p in candidates] == sorted((p for _, p in candidates), reverse=True)


@pytest.mark.long
def test_word_times_rise_inside_the_window_and_follow_the_clock_of_the_file(
    whisper: WhisperEngine, clips: list[SpokenClip]
) -> None:
    found = results(whisper.run([clip.window(start_ms=90_000) for clip in clips]))
    for clip, result in zip(clips, found, strict=True):
        words = [word for segment in result.segments for word in segment.words]
        assert " ".join(word.text for word in words) == clip.text
        assert all(one.end_ms <= other.start_ms for one, other in pairwise(words)), clip.id
        assert all(word.start_ms < word.end_ms for word in words), clip.id
        assert words[0].start_ms >= 90_000
        assert words[-1].end_ms <= 90_000 + clip.window().duration_ms
        assert all(0.0 <= word.confidence <= 1.0 for word in words)
        assert (result.segments[0].start_ms, result.segments[-1].end_ms) == (words[0].start_ms, words[-1].end_ms)


def test_without_word_times_segments_have_times_and_no_words(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    clip = clips[0]
    options = DecodeOptions(language=clip.lang, word_times=False)
    (result,) = results(whisper.run([clip.window(start_ms=5_000, options=options)]))
    assert text_of(result) == clip.text
    assert result.segments[0].words == ()
    assert 5_000 <= result.segments[0].start_ms < result.segments[0].end_ms <= 5_000 + clip.window().duration_ms


@pytest.mark.long
def test_beam_search_gives_the_same_words(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    some = clips[::3]
    options = [DecodeOptions(language=clip.lang, beam_size=5) for clip in some]
    batch = [clip.window(options=option) for clip, option in zip(some, options, strict=True)]
    assert [text_of(result) for result in results(whisper.run(batch))] == [clip.text for clip in some]


@pytest.mark.parametrize("pcm", [b"", b"\0\0" * 10, SECOND * 5], ids=["nothing", "ten samples", "five seconds"])
def test_silence_gives_no_segments(whisper: WhisperEngine, pcm: bytes) -> None:
    (result,) = results(whisper.run([AudioWindow("file", 4, 0, pcm)]))
    assert (result.index, result.segments, result.language, result.language_probability) == (4, (), "", 0.0)
    assert whisper.detect(AudioWindow("file", 0, 0, pcm)).candidates == ()


def test_noise_and_silence_leave_their_neighbours_alone(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    noise = np.random.default_rng(3).normal(0, 3000, 16_000 * 6).astype("<i2").tobytes()
    strange = [
        AudioWindow("noise", 0, 0, noise),
        AudioWindow("silence", 0, 0, SECOND),
        AudioWindow("click", 0, 0, noise[:40]),
    ]
    batch = [strange[0], clips[0].window(), strange[1], clips[20].window(), strange[2]]
    found = results(whisper.run(batch))
    assert [text_of(found[1]), text_of(found[3])] == [clips[0].text, clips[20].text]
    assert found[2].segments == ()


@pytest.mark.long
def test_only_a_window_that_fails_the_guard_is_decoded_again(
    whisper: WhisperEngine, clips: list[SpokenClip], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence repeated eight times looks like a loop of the model: it is kept, with its doubts.

    The short context of its batch is tried first, then the full one, then a temperature that leaves loops.
    """
    repeated = next(clip for clip in clips if clip.id == "is1-m")
    looping = AudioWindow("loop", 1, 0, (repeated.pcm + b"\0" * 3200) * 8, DecodeOptions(language="is"))
    decoded: list[tuple[list[int], float]] = []
    generate = whisper._decoder.generate

    def record(encoded: Encoded, indexes: Sequence[int], *rest: Any, **named: Any) -> list[Decoding]:
        decoded.append((list(indexes), named["temperature"]))
        return generate(encoded, indexes, *rest, **named)

    monkeypatch.setattr(whisper._decoder, "generate", record)
    found = results(whisper.run([clips[0].window(), looping, clips[1].window()]))
    # The second call holds only the doubtful window, at index 0.
    assert decoded == [([0, 1, 2], 0.0), ([0], 0.0), ([0], ECHO_TEMPERATURE)]
    assert [text_of(found[0]), text_of(found[2])] == [clips[0].text, clips[1].text]
    assert [segment.doubts for index in (0, 2) for segment in found[index].segments] == [(), ()]
    assert found[1].segments
    assert {doubt for segment in found[1].segments for doubt in segment.doubts} == {Doubt.REPETITIVE, Doubt.LOOP}


def test_a_bad_window_is_refused_and_the_rest_is_transcribed(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    outcomes = whisper.run(
        [
            clips[0].window(options=DecodeOptions(language="tlh")),
            clips[1].window(),
            AudioWindow("odd", 0, 0, b"\1\2\3"),
            AudioWindow("long", 0, 0, SECOND * 31),
        ]
    )
    problems = [outcome.problem if isinstance(outcome, EngineRefused) else None for outcome in outcomes]
    assert problems == [EngineProblem.UNKNOWN_LANGUAGE, None, EngineProblem.BAD_INPUT, EngineProblem.BAD_INPUT]
    assert isinstance(outcomes[1], WindowResult)
    assert text_of(outcomes[1]) == clips[1].text


@pytest.mark.long
def test_calls_from_several_threads_do_not_mix(whisper: WhisperEngine, clips: list[SpokenClip]) -> None:
    def text(clip: SpokenClip) -> str:
        return text_of(results(whisper.run([clip.window()]))[0])

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(text, clips)) == [clip.text for clip in clips]


def test_it_says_what_it_is(whisper: WhisperEngine) -> None:
    assert (whisper.info.engine, whisper.info.model, whisper.info.device) == ("whisper", "phrasebook", "cpu")
    assert {"is", "en", "de", "es"} <= whisper.info.languages
