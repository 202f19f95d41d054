"""Which words of a changing text are final: what is shown as final never changes, whatever an engine reads later."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pipelines.flows.live.stable import AGREED_MS, StableWords
from serve.tasks.live.messages import LiveText
from serve.tasks.transcription.messages import Word


def reading(*texts: str, start_ms: int = 0, final: int = 0) -> LiveText:
    """Words of 400 ms, one after the other."""
    words = (Word(start_ms + at * 400, start_ms + at * 400 + 400, text, 1.0) for at, text in enumerate(texts))
    return LiveText(tuple(words), final)


def texts(words: tuple[Word, ...]) -> list[str]:
    return [word.text for word in words]


def test_a_word_is_final_once_it_has_stood_for_a_second_of_sound() -> None:
    stable = StableWords()
    final, rest = stable.update(reading("the", "meeting"), 1_000)
    assert (texts(final), texts(rest)) == ([], ["the", "meeting"])
    final, rest = stable.update(reading("the", "meeting", "will"), 1_000 + AGREED_MS - 1)
    assert texts(final) == []
    final, rest = stable.update(reading("the", "meeting", "will"), 1_000 + AGREED_MS)
    assert (texts(final), texts(rest)) == (["the", "meeting"], ["will"])


def test_a_word_that_changes_begins_anew_and_so_do_those_after_it() -> None:
    stable = StableWords()
    stable.update(reading("nine", "in", "the"), 1_500)
    final, rest = stable.update(reading("nine", "and", "the"), 2_500)
    assert (texts(final), texts(rest)) == (["nine"], ["and", "the"])
    final, rest = stable.update(reading("nine", "and", "the"), 3_500)
    assert texts(final) == ["and", "the"]


def test_case_and_punctuation_may_still_change_meanwhile() -> None:
    stable = StableWords()
    stable.update(reading("so", "we", "go"), 1_500)
    final, _ = stable.update(reading("So", "we", "go."), 2_600)
    assert texts(final) == ["So", "we", "go."]


def test_the_word_that_is_being_said_is_not_final() -> None:
    stable = StableWords()
    stable.update(reading("a", "car"), 800)
    final, rest = stable.update(LiveText((Word(0, 400, "a", 1.0), Word(400, 2_100, "car", 1.0))), 2_200)
    assert (texts(final), texts(rest)) == (["a"], ["car"])


def test_all_words_are_final_when_the_utterance_is_complete() -> None:
    stable = StableWords()
    final, rest = stable.update(reading("good", "night"), 900, is_complete=True)
    assert (texts(final), texts(rest)) == (["good", "night"], [])
    # The next utterance begins after it.
    final, _ = stable.update(reading("good", "day", start_ms=1_500), 2_500, is_complete=True)
    assert texts(final) == ["good", "day"]


def test_an_attempt_that_reads_again_gives_nothing_twice() -> None:
    stable = StableWords(final_until_ms=800)
    final, _ = stable.update(reading("the", "meeting", "will"), 1_300, is_complete=True)
    assert texts(final) == ["will"]


@pytest.mark.long
def test_final_words_never_change_and_stay_in_order_whatever_is_read() -> None:
    """1,000 utterances with readings that change at random: final words only ever grow, and each sound gives one."""
    chance = random.Random(27)
    for _ in range(1_000):
        stable, heard_ms = StableWords(), 0
        said: list[Word] = []
        for step in range(12):
            heard_ms += chance.choice([160, 500, 1_000])
            count = heard_ms // 400
            words = reading(*(chance.choice(["a", "b"]) if chance.random() < 0.2 else "c" for _ in range(count)))
            final, rest = stable.update(words, heard_ms, is_complete=step == 11)
            said += final
            assert not rest or step < 11
            assert all(one.end_ms <= two.start_ms for one, two in pairwise(said))
        assert len(said) == heard_ms // 400


def test_what_an_engine_calls_final_is_final_at_once_and_each_word_once() -> None:
    stable = StableWords()
    final, rest = stable.update(reading("good", "day", final=1), 900)
    assert (texts(final), texts(rest)) == (["good"], ["day"])
    # Two words in no time at all, as an engine may place them.
    at_once = (Word(0, 400, "good", 1.0), Word(400, 400, "day", 1.0), Word(400, 400, "to", 1.0))
    final, rest = stable.update(LiveText((*at_once, Word(400, 700, "you", 1.0)), final=3), 1_200)
    assert (texts(final), texts(rest)) == (["day", "to"], ["you"])
    final, _ = stable.update(LiveText((*at_once, Word(400, 700, "you", 1.0)), final=4), 1_300, is_complete=True)
    assert texts(final) == ["you"]


def test_an_utterance_that_is_read_again_from_its_beginning_gives_nothing_twice() -> None:
    stable = StableWords()
    stable.update(reading("good", "day", "to", final=2), 1_200)
    assert stable.update(reading(), 300) == ((), ())
    assert texts(stable.update(reading("good", "day", final=1), 900)[0]) == []
    final, _ = stable.update(reading("good", "day", "to", "you", final=4), 1_700, is_complete=True)
    assert texts(final) == ["to", "you"]
