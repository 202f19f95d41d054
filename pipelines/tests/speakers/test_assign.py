from __future__ import annotations

from itertools import count, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.reading.cues import with_words
from pipelines.captions.texts.text import without_space
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin
from pipelines.messages.speakers import Turn
from pipelines.speakers.assign import assign


def turn(start_ms: int, end_ms: int, speaker: str) -> Turn:
    return Turn(start_ms=start_ms, end_ms=end_ms, speaker=speaker)


def line(id: str, text: str, start_ms: int = 0, word_ms: int = 400) -> CaptionLine:
    words = tuple(
        CaptionWord(start_ms + index * word_ms, start_ms + (index + 1) * word_ms - 20, word, Origin.ASR, 0.9)
        for index, word in enumerate(text.split())
    )
    return CaptionLine(id, start_ms, words[-1].end_ms, text, words)


def assigned(lines: list[CaptionLine], turns: list[Turn]) -> list[tuple[str | None, str]]:
    numbers = count()
    result = assign(lines, turns, new_id=lambda: f"new-{next(numbers)}")
    return [(each.speaker, each.text) for each in result]


def test_a_line_of_two_speakers_becomes_two_lines() -> None:
    talk = [line("a", "Shall we go?\nYes, at once.")]
    turns = [turn(0, 1_190, "S1"), turn(1_200, 2_400, "S2")]
    assert assigned(talk, turns) == [("S1", "Shall we go?"), ("S2", "Yes, at once.")]
    first, second = assign(talk, turns)
    assert first.id == "a"
    assert first.words + second.words == talk[0].words, "every word keeps its time"
    assert (first.end_ms, second.start_ms, second.end_ms) == (1_100, 1_200, 2_380)


def test_a_word_across_two_turns_goes_where_the_sentence_ends() -> None:
    talk = [line("a", "We leave now. Good idea, yes.")]
    late = [turn(0, 1_000, "S1"), turn(1_000, 2_400, "S2")]  # inside "now."
    early = [turn(0, 1_400, "S1"), turn(1_400, 2_400, "S2")]  # inside "Good"
    for turns in (late, early):
        assert assigned(talk, turns) == [("S1", "We leave now."), ("S2", "Good idea, yes.")]


def test_where_two_speak_at_once_the_speaker_changes_at_the_end_of_a_sentence() -> None:
    talk = [line("a", "We leave now. Good idea, yes.")]
    turns = [turn(0, 2_000, "S1"), turn(400, 2_400, "S2")]  # both from "leave" to "idea,"
    assert assigned(talk, turns) == [("S1", "We leave now."), ("S2", "Good idea, yes.")]


def test_a_word_put_in_while_somebody_goes_on_is_that_ones() -> None:
    talk = [line("a", "We leave now and go on.")]
    turns = [turn(0, 2_400, "S1"), turn(800, 1_200, "S2"), turn(1_240, 1_300, "S3")]
    assert assigned(talk, turns) == [("S1", "We leave now and go on.")]


def test_words_far_from_every_turn_belong_to_whoever_spoke_before() -> None:
    lines = [line("a", "Hello there."), line("b", "Nobody saw this.", 20_000), line("c", "Me neither.", 40_000)]
    turns = [turn(0, 800, "S1"), turn(40_000, 41_000, "S2")]
    assert [each[0] for each in assigned(lines, turns)] == ["S1", "S1", "S2"]
    assert [each[0] for each in assigned(lines, turns[1:])] == ["S2", "S2", "S2"], "the first ones have nobody before"


def test_no_turns_say_nothing() -> None:
    lines = [line("a", "Hello there.")]
    assert assign(lines, []) == lines


def test_lines_that_a_person_assigned_stay() -> None:
    lines = [line("a", "Hello there."), line("b", "And you?", 1_000)]
    first, second = assign(lines, [turn(0, 3_000, "S1")], keep={"a"})
    assert (first, second.speaker) == (lines[0], "S1")


def test_words_without_measured_times_and_lines_without_words() -> None:
    spread = with_words(CaptionLine("a", 0, 4_000, "One two three four"))
    bare = CaptionLine("b", 5_000, 6_000, "今日は")
    assert assigned([spread, bare], [turn(0, 2_000, "S1"), turn(2_000, 6_000, "S2")]) == [
        ("S1", "One two"),
        ("S2", "three four"),
        ("S2", "今日は"),
    ]


@pytest.mark.long
@settings(max_examples=60)
@given(st.data())
def test_no_text_is_lost_no_word_moves_and_no_line_has_two_speakers(data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(["Yes.", "and", "no,", "今日", "\nwell", "go"]), min_size=1, max_size=12)
    lines = [
        line(str(number), " ".join(data.draw(words)).strip(), number * 6_000, data.draw(st.integers(30, 450)))
        for number in range(data.draw(st.integers(1, 4)))
    ]
    turns, now = [], 0
    while now < 24_000:
        start = max(0, now + data.draw(st.integers(-1_500, 3_000)))
        now = start + data.draw(st.integers(100, 4_000))
        turns.append(turn(start, now, data.draw(st.sampled_from(["S1", "S2", "S3"]))))
    result = assign(lines, turns)
    assert without_space("".join(each.text for each in result)) == without_space("".join(each.text for each in lines))
    placed = [(word.start_ms, word.end_ms, word.text) for each in result for word in each.words]
    assert placed == [(word.start_ms, word.end_ms, word.text) for each in lines for word in each.words]
    assert all(word.speaker is None for each in result for word in each.words)
    assert all(one.end_ms <= other.start_ms for one, other in pairwise(result))
    assert all(each.end_ms > each.start_ms for each in result)
