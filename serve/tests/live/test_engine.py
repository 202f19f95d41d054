"""An engine that follows speech: the state of an utterance, and what happens when it is not where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.live.engine import QUIET_S, Step, StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.pocketsphinx.engine import LivePocketSphinx
from serve.tasks.live.pocketsphinx.means import FIRST, MOST_STREAMS, MOST_UTTERANCES, Means
from serve.tasks.transcription.messages import DecodeOptions, Word

PIECE = bytes(320)
SENTENCE = "the meeting will begin at nine in the morning"
INFO = EngineInfo("live", "letters", "none", "cpu", "Test.")


class Letters(StreamingEngine[list[str]]):
    """Hears a letter in each piece of sound: its first byte. It fails on a zero byte if it is told to."""

    def __init__(self, *, most: int = 2) -> None:
        self.clock = 0.0
        self.fails = False
        self.ended = 0
        super().__init__(INFO, parallel=1, max_utterances=most, now=lambda: self.clock)

    def begin(self, sound: LiveSound) -> list[str]:
        return []

    def advance(self, steps: Sequence[Step[list[str]]]) -> list[LiveText | EngineRefused]:
        found: list[LiveText | EngineRefused] = []
        for step in steps:
            if step.pcm and step.pcm[0] == 0 and self.fails:
                raise RuntimeError("a zero")
            step.utterance.extend(chr(byte) for byte in step.pcm[:1])
            words = (Word(at * 10, at * 10 + 10, letter, 1.0) for at, letter in enumerate(step.utterance))
            found.append(LiveText(tuple(words)))
        return found

    def end(self, utterance: list[str]) -> None:
        self.ended += 1

    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        return EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, "No.") if sound.options.language == "xx" else None


def sound(letter: str, offset: int = 0, stream: str = "a", **more: object) -> LiveSound:
    pcm = letter.encode().ljust(20, b"\0") if letter else b""
    return replace(LiveSound(stream, 5_000, offset, pcm), **more)  # type: ignore[arg-type]


def heard(outcome: LiveText | EngineRefused) -> str:
    assert isinstance(outcome, LiveText), outcome
    return "".join(word.text for word in outcome.words)


def problem(outcome: LiveText | EngineRefused) -> EngineProblem:
    assert isinstance(outcome, EngineRefused), outcome
    return outcome.problem


def one(engine: Letters, *sounds: LiveSound) -> list[LiveText | EngineRefused]:
    return list(engine.run(sounds))


def test_the_text_of_an_utterance_grows_with_its_sound_and_its_times_are_those_of_the_recording() -> None:
    engine = Letters()
    assert heard(one(engine, sound("a"))[0]) == "a"
    (text,) = one(engine, sound("b", 10))
    assert heard(text) == "ab"
    assert isinstance(text, LiveText)
    assert [(word.start_ms, word.end_ms) for word in text.words] == [(5_000, 5_010), (5_010, 5_020)]
    assert heard(one(engine, sound("", 20, is_last=True))[0]) == "ab"
    assert engine.ended == 1


def test_utterances_of_several_recordings_are_read_in_one_call() -> None:
    engine = Letters()
    assert [heard(each) for each in one(engine, sound("a"), sound("x", stream="b"))] == ["a", "x"]
    assert [heard(each) for each in one(engine, sound("b", 10), sound("y", 10, stream="b"))] == ["ab", "xy"]


@pytest.mark.parametrize("offset", [5, 20])
def test_sound_that_does_not_follow_is_refused_and_the_utterance_can_be_sent_again(offset: int) -> None:
    engine = Letters()
    one(engine, sound("a"))
    assert problem(one(engine, sound("b", offset))[0]) == EngineProblem.LOST_STATE
    assert heard(one(engine, sound("c"))[0]) == "c"
    assert engine.ended == 1
    assert problem(one(Letters(), sound("b", 10))[0]) == EngineProblem.LOST_STATE


def test_a_repeated_piece_is_never_counted_twice() -> None:
    engine = Letters()
    one(engine, sound("a"), sound("x", stream="b"))
    one(engine, sound("b", 10))
    assert problem(one(engine, sound("b", 10))[0]) == EngineProblem.LOST_STATE


def test_more_utterances_than_it_can_hold_wait_and_the_others_go_on() -> None:
    engine = Letters(most=2)
    one(engine, sound("a"), sound("x", stream="b"))
    (refused,) = one(engine, sound("k", stream="c"))
    assert problem(refused) == EngineProblem.OVERLOADED
    assert isinstance(refused, EngineRefused)
    assert refused.retry_after_s
    assert heard(one(engine, sound("b", 10, is_last=True))[0]) == "ab"
    assert heard(one(engine, sound("k", stream="c"))[0]) == "k"


def test_an_utterance_that_nobody_continues_is_forgotten() -> None:
    engine = Letters()
    one(engine, sound("a"), sound("x", stream="b"))
    engine.clock += QUIET_S / 2
    one(engine, sound("b", 10))
    engine.clock += QUIET_S / 2 + 1
    engine.rest()
    assert engine.ended == 1
    assert heard(one(engine, sound("c", 20))[0]) == "abc"
    engine.close()
    assert engine.ended == 2


def test_bad_sound_and_an_unknown_language_are_refused_without_harm_to_a_neighbour() -> None:
    engine = Letters()
    odd = replace(sound("a", stream="b"), pcm=b"abc")
    unknown = sound("a", stream="c", options=DecodeOptions(language="xx"))
    first, second, third = one(engine, odd, sound("a"), unknown)
    assert problem(first) == EngineProblem.BAD_INPUT
    assert heard(second) == "a"
    assert problem(third) == EngineProblem.UNKNOWN_LANGUAGE


def test_after_a_failure_every_utterance_of_the_call_begins_anew() -> None:
    engine = Letters()
    one(engine, sound("a"), sound("x", stream="b"))
    engine.fails = True
    with pytest.raises(RuntimeError):
        one(engine, sound("b", 10), sound("\0", 10, stream="b"))
    assert problem(one(engine, sound("b", 10))[0]) == EngineProblem.LOST_STATE
    assert heard(one(engine, sound("a"))[0]) == "a"


@pytest.fixture(scope="module")
def sphinx() -> Iterator[LivePocketSphinx]:
    with closing(LivePocketSphinx(reason="Test.", parallel=1, max_utterances=2)) as engine:
        yield engine


def pieces(spoken: bytes, stream: str, start_ms: int = 1_000) -> Iterator[LiveSound]:
    for at in range(0, len(spoken), 16_000):
        pcm = spoken[at : at + 16_000]
        yield LiveSound(stream, start_ms, at // 2, pcm, is_last=at + 16_000 >= len(spoken))


@pytest.mark.long
def test_the_built_in_engine_reads_while_somebody_speaks(sphinx: LivePocketSphinx, say: Callable[[str], bytes]) -> None:
    spoken = say(SENTENCE)
    texts = [outcome for sound in pieces(spoken, "talk") for outcome in sphinx.run([sound])]
    counts = [len(text.words) for text in texts if isinstance(text, LiveText)]
    assert len(counts) == len(texts) > 2
    assert counts[1] > 0, "long before the end"
    last = texts[-1]
    assert isinstance(last, LiveText)
    assert len({word.text for word in last.words} & set(SENTENCE.split())) >= 6
    assert all(1_000 <= word.start_ms < word.end_ms <= 1_000 + len(spoken) // 32 for word in last.words)


def whole(sphinx: LivePocketSphinx, sounds: Iterator[LiveSound]) -> list[Word]:
    """What is read of an utterance once all of it is there, with times from its beginning."""
    first = next(sounds)
    texts = [outcome for sound in (first, *sounds) for outcome in sphinx.run([sound])]
    assert isinstance(texts[-1], LiveText)
    return [
        replace(word, start_ms=word.start_ms - first.start_ms, end_ms=word.end_ms - first.start_ms)
        for word in texts[-1].words
    ]


@pytest.mark.long
def test_a_recording_teaches_its_next_utterance_and_no_other_recording(
    sphinx: LivePocketSphinx, say: Callable[[str], bytes]
) -> None:
    spoken = say(SENTENCE)
    first, second = whole(sphinx, pieces(spoken, "lesson")), whole(sphinx, pieces(spoken, "lesson", 60_000))
    assert first != second
    assert whole(sphinx, pieces(spoken, "another")) == first
    assert whole(sphinx, pieces(spoken, "lesson")) == first, "read again, as it was read the first time"
    assert whole(sphinx, pieces(spoken, "lesson", 60_000)) == second


def test_only_the_last_utterances_of_the_last_recordings_are_remembered() -> None:
    means = Means()
    assert means.before("a", 0) == FIRST
    for start in range(0, 2 * MOST_UTTERANCES):
        means.learn("a", start, str(start))
    assert means.before("a", 2 * MOST_UTTERANCES) == str(2 * MOST_UTTERANCES - 1)
    assert means.before("a", MOST_UTTERANCES) == FIRST
    for other in range(MOST_STREAMS):
        means.learn(f"other {other}", 0, "x")
    assert means.before("a", 2 * MOST_UTTERANCES) == FIRST


@pytest.mark.long
def test_a_program_that_dies_is_replaced(sphinx: LivePocketSphinx, say: Callable[[str], bytes]) -> None:
    first, second, *_ = pieces(say(SENTENCE), "crash")
    (text,) = sphinx.run([first])
    assert isinstance(text, LiveText)
    sphinx._held["crash"].utterance.program._process.kill()
    (refused,) = sphinx.run([second])
    assert problem(refused) == EngineProblem.MODEL_FAILED
    (text,) = sphinx.run([first])
    assert isinstance(text, LiveText)


def test_it_speaks_english_only(sphinx: LivePocketSphinx) -> None:
    (refused,) = sphinx.run([LiveSound("a", 0, 0, PIECE, options=DecodeOptions(language="is"))])
    assert problem(refused) == EngineProblem.UNKNOWN_LANGUAGE
