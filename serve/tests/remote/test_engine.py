"""A speech endpoint over real HTTP: whole, poorer than OpenAI's, slow, busy, cut off and answering nonsense."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from serve.core.messages import EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, Segment, WindowResult
from serve.tasks.transcription.remote.engine import RemoteSpeechEngine, prompt_of
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.testing.speech_endpoint import MODEL, SpeechCall, StandInSpeech, speech_endpoint

KEY = "sk-only-for-the-replica"
SPOKEN = (np.random.default_rng(1).normal(0, 3000, 4 * 16_000)).astype("<i2").tobytes()
"""Four seconds that are loud enough to be speech."""
WORDS = [
    {"word": "Good", "start": 0.5, "end": 0.8},
    {"word": "morning", "start": 0.8, "end": 1.4},
    {"word": "Reykjavík", "start": 2.0, "end": 3.1},
]
SEGMENTS = [
    {"id": 0, "start": 0.5, "end": 1.4, "text": " Good morning.", "avg_logprob": -0.1, "no_speech_prob": 0.01},
    {"id": 1, "start": 2.0, "end": 3.1, "text": " Reykjavík!", "avg_logprob": -0.2, "no_speech_prob": 0.01},
]


def reply(call: SpeechCall) -> Any:
    text = "Good morning. Reykjavík!"
    if call.one("response_format") != "verbose_json":
        return {"text": text}
    answer = {"task": "transcribe", "language": "icelandic", "duration": 4.0, "text": text, "segments": SEGMENTS}
    return {**answer, "words": WORDS} if call.wants_words else answer


@pytest.fixture
def endpoint() -> Iterator[StandInSpeech]:
    with speech_endpoint(reply, key=KEY) as running:
        yield running


@pytest.fixture
def engine(endpoint: StandInSpeech) -> Iterator[RemoteSpeechEngine]:
    loaded = RemoteSpeechEngine(where(endpoint), reason="Test.")
    endpoint.calls.clear()
    yield loaded
    loaded.close()


def where(endpoint: StandInSpeech, **changes: Any) -> SpeechEndpoint:
    options: dict[str, Any] = {"model": MODEL, "key": SecretStr(KEY), "timeout_s": 60.0, **changes}
    return SpeechEndpoint(endpoint.url, **options)


def window(
    index: int = 0, *, language: str | None = "is", start_ms: int = 0, terms: tuple[str, ...] = ()
) -> AudioWindow:
    return AudioWindow("file", index, start_ms, SPOKEN, DecodeOptions(language=language, terms=terms))


def result(engine: RemoteSpeechEngine, asked: AudioWindow) -> WindowResult:
    (outcome,) = engine.run([asked])
    assert isinstance(outcome, WindowResult), outcome
    return outcome


def refusal(engine: RemoteSpeechEngine, asked: AudioWindow | None = None) -> EngineRefused:
    (outcome,) = engine.run([asked or window()])
    assert isinstance(outcome, EngineRefused)
    assert KEY not in repr(outcome)
    assert outcome.sentence.endswith(".")
    return outcome


def texts(segments: tuple[Segment, ...]) -> list[str]:
    return [segment.text for segment in segments]


def test_words_have_the_times_of_the_answer_and_the_punctuation_of_its_segments(
    engine: RemoteSpeechEngine, endpoint: StandInSpeech
) -> None:
    found = result(engine, window(7, start_ms=60_000, terms=("Vatnajökull", "Hekla")))
    assert (found.index, found.language, found.language_probability) == (7, "is", 1.0)
    assert texts(found.segments) == ["Good morning.", "Reykjavík!"]
    assert [(word.text, word.start_ms, word.end_ms) for segment in found.segments for word in segment.words] == [
        ("Good", 60_500, 60_800),
        ("morning.", 60_800, 61_400),
        ("Reykjavík!", 62_000, 63_100),
    ]
    assert found.segments[0].words[0].confidence == pytest.approx(0.905, abs=0.001)
    (call,) = endpoint.calls
    assert (call.one("language"), call.one("prompt"), call.one("model")) == ("is", "Hekla, Vatnajökull", MODEL)
    assert "temperature" not in call.fields
    with wave.open(io.BytesIO(call.wav)) as sent:
        assert (sent.getframerate(), sent.getnchannels()) == (16_000, 1)
        assert sent.readframes(sent.getnframes()) == SPOKEN


def test_the_record_is_what_the_endpoint_showed_and_names_where_sound_goes(
    engine: RemoteSpeechEngine, endpoint: StandInSpeech
) -> None:
    info = engine.info
    assert (info.engine, info.model, info.device) == ("remote", MODEL, "remote")
    assert info.word_times is WordTimes.NATIVE
    assert info.detects_language
    assert info.takes_vocabulary
    assert not info.languages
    assert endpoint.url.removeprefix("http://").removesuffix("/v1") in info.note
    assert not info.problem
    assert engine.has_deadline


def test_an_unknown_language_is_the_one_that_the_answer_names(engine: RemoteSpeechEngine) -> None:
    found = result(engine, window(language=None))
    assert (found.language, found.language_probability) == ("is", 0.0)
    assert engine.detect(window(language=None)).candidates == (("is", 0.0),)


def test_without_word_times_words_share_the_time_of_their_segment(endpoint: StandInSpeech) -> None:
    endpoint.faults.refuses_words = True
    engine = RemoteSpeechEngine(where(endpoint), reason="Test.")
    endpoint.calls.clear()
    for _ in range(2):
        words = [word for segment in result(engine, window()).segments for word in segment.words]
        assert [(word.text, word.start_ms, word.end_ms) for word in words] == [
            ("Good", 500, 800),
            ("morning.", 800, 1_400),
            ("Reykjavík!", 2_000, 3_100),
        ]
    assert not any(call.wants_words for call in endpoint.calls), "it is refused once and not asked for again"
    assert engine.info.word_times is WordTimes.NONE
    engine.close()


def test_an_endpoint_with_texts_alone_works(endpoint: StandInSpeech) -> None:
    endpoint.faults.refuses_verbose = True
    engine = RemoteSpeechEngine(where(endpoint), reason="Test.")
    (segment,) = result(engine, window()).segments
    assert segment.text == "Good morning. Reykjavík!"
    assert (segment.start_ms, segment.end_ms) == (0, 4_000)
    assert result(engine, window(language=None)).language == ""
    with pytest.raises(EngineRefused, match="cannot detect the language"):
        engine.detect(window(language=None))
    assert not engine.info.detects_language
    engine.close()


def test_scripts_without_spaces_give_characters(engine: RemoteSpeechEngine, endpoint: StandInSpeech) -> None:
    endpoint.reply = lambda _call: {"text": "今日は。OK 晴れ"}
    words = [word.text for segment in result(engine, window(language="ja")).segments for word in segment.words]
    assert words == ["今", "日", "は。", "OK", "晴", "れ"]


def test_no_more_windows_are_on_their_way_than_the_setting_allows(endpoint: StandInSpeech) -> None:
    engine = RemoteSpeechEngine(where(endpoint, requests=3), reason="Test.")
    for _ in endpoint.calls:
        endpoint.arrived.acquire()
    endpoint.faults.holds = True
    with ThreadPoolExecutor(1) as waiting:
        outcomes = waiting.submit(engine.run, [window(index) for index in range(9)])
        for _ in range(3):
            endpoint.arrived.acquire()
        assert endpoint.running == 3
        endpoint.faults.released.set()
        results = [outcome for outcome in outcomes.result() if isinstance(outcome, WindowResult)]
    assert [each.index for each in results] == list(range(9))
    assert endpoint.most_at_once == 3
    assert engine.parallel == 3
    engine.close()


@pytest.mark.parametrize("fault", ["busy", "broken", "cut off"])
def test_a_moment_of_trouble_is_not_noticed(engine: RemoteSpeechEngine, endpoint: StandInSpeech, fault: str) -> None:
    if fault == "cut off":
        endpoint.faults.cuts_off = 1
    else:
        endpoint.faults.status = 429 if fault == "busy" else 503
        endpoint.faults.failures, endpoint.faults.retry_after = 1, "0.6"
    assert len(result(engine, window()).segments) == 2
    assert len(endpoint.calls) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_endpoint_that_stays_busy_gives_a_time(
    engine: RemoteSpeechEngine, endpoint: StandInSpeech, status: int
) -> None:
    endpoint.faults.status, endpoint.faults.retry_after = status, "0.7"
    refused = refusal(engine)
    assert refused.problem is EngineProblem.OVERLOADED
    assert refused.retry_after_s == pytest.approx(0.7)


def test_a_slow_endpoint_and_one_that_is_away_give_a_time(endpoint: StandInSpeech) -> None:
    slow = RemoteSpeechEngine(where(endpoint, timeout_s=0.2), reason="Test.")
    endpoint.faults.holds = True
    refused = refusal(slow)
    assert (refused.problem, refused.retry_after_s) == (EngineProblem.OVERLOADED, 15.0)
    slow.close()
    away = RemoteSpeechEngine(SpeechEndpoint("http://127.0.0.1:9/v1", MODEL, None), reason="Test.")
    assert away.info.problem == "The speech endpoint cannot be reached."
    assert refusal(away).problem is EngineProblem.OVERLOADED
    away.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        b"<html>Welcome</html>",
        b"",
        b"[1]",
        b'{"text": 5}',
        b'{"words": []}',
        b'{"text": "a", "segments": "none"}',
        b'{"text": "' + b"a" * (5 << 20) + b'"}',
        b"[" * 100_000,
    ],
)
def test_nonsense_is_refused_with_a_sentence(engine: RemoteSpeechEngine, endpoint: StandInSpeech, body: bytes) -> None:
    endpoint.reply = lambda _call: body
    refused = refusal(engine)
    assert refused.problem is EngineProblem.MODEL_FAILED
    assert "not as an OpenAI-compatible endpoint" in refused.sentence


def test_times_of_an_answer_stay_in_the_window_and_in_order(
    engine: RemoteSpeechEngine, endpoint: StandInSpeech
) -> None:
    words = [
        {"word": "late", "start": 3.0, "end": 99.0},
        {"word": "early", "start": -5, "end": 1e308},
        {"word": "none", "start": None, "end": 2},
        {"word": "odd", "start": float("nan"), "end": float("inf")},
        {"word": "  ", "start": 0, "end": 1},
        {"word": "back", "start": 2.5, "end": 1.0},
    ]
    endpoint.reply = lambda _call: {"text": "late early none odd back", "words": words, "language": "tlhIngan"}
    (segment,) = result(engine, window(start_ms=10_000)).segments
    times = [(word.start_ms, word.end_ms) for word in segment.words]
    assert [word.text for word in segment.words] == ["late", "early", "back"]
    assert all(10_000 <= start <= end <= 14_000 for start, end in times)
    assert all(one[1] <= other[0] for one, other in pairwise(times))


def test_what_the_endpoint_itself_finds_silent_is_left_out_and_gibberish_is_doubted(
    engine: RemoteSpeechEngine, endpoint: StandInSpeech
) -> None:
    silent = {"start": 0, "end": 1, "text": "Thank you.", "avg_logprob": -1.4, "no_speech_prob": 0.9}
    unlikely = {"start": 1, "end": 2, "text": "Hm.", "avg_logprob": -3.5, "no_speech_prob": 0.1}
    endpoint.reply = lambda _call: {"text": "Thank you. Hm.", "segments": [silent, unlikely]}
    (segment,) = result(engine, window()).segments
    assert segment.text == "Hm."
    assert {"unlikely", "gibberish"} <= set(segment.doubts)


def test_silence_is_not_sent(engine: RemoteSpeechEngine, endpoint: StandInSpeech) -> None:
    found = result(engine, AudioWindow("file", 0, 0, b"\0\0" * 16_000, DecodeOptions(language="is")))
    assert found.segments == ()
    assert not endpoint.calls


def test_keys_models_and_languages_that_are_refused_say_what_to_change(endpoint: StandInSpeech) -> None:
    wrong = RemoteSpeechEngine(where(endpoint, key=SecretStr("sk-wrong-key")), reason="Test.")
    refused = refusal(wrong)
    assert "SAGASCRIPT_SPEECH_KEY" in refused.sentence
    assert "sk-wrong-key" not in str(refused)
    assert wrong.info.problem == refused.sentence
    wrong.close()
    unknown = RemoteSpeechEngine(where(endpoint, model="other"), reason="Test.")
    assert "SAGASCRIPT_SPEECH_MODEL" in refusal(unknown).sentence
    unknown.close()
    engine = RemoteSpeechEngine(where(endpoint, model=""), reason="Test.")
    assert engine.info.model == MODEL
    endpoint.faults.status, endpoint.faults.message = 400, "Language 'is' is not supported."
    refused = refusal(engine)
    assert refused.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "“is”" in refused.sentence
    engine.close()
    endpoint.models.clear()
    none = RemoteSpeechEngine(where(endpoint, model=""), reason="Test.")
    assert "lists no model" in none.info.problem
    none.close()


def test_as_many_terms_as_fit_with_the_first_ones_at_the_end() -> None:
    assert prompt_of(()) == ""
    assert prompt_of(("first", "second")) == "second, first"
    long = prompt_of(tuple(f"term{number}" for number in range(1000)))
    assert len(long) <= 800
    assert long.endswith("term1, term0")


def test_a_temperature_is_sent_on(engine: RemoteSpeechEngine, endpoint: StandInSpeech) -> None:
    asked = window()
    result(engine, replace(asked, options=replace(asked.options, temperature=0.4)))
    assert endpoint.calls[-1].one("temperature") == "0.4"
