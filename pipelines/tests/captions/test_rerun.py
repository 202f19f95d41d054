"""Lines beside what transcribing them again found: nothing a person wrote is lost by default."""

from __future__ import annotations

import random
import uuid

from hypothesis import given
from hypothesis import strategies as st

from pipelines.captions.edits.rerun import Choice, proposals, spans_of
from pipelines.flows.transcribe.retranscribe import span_windows
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin


def words(text: str, start: int, *, human: tuple[str, ...] = ()) -> tuple[CaptionWord, ...]:
    return tuple(
        CaptionWord(start + 400 * i, start + 400 * i + 300, word, Origin.HUMAN if word in human else Origin.ASR, 0.9)
        for i, word in enumerate(text.split())
    )


def line(name: str, text: str, start: int, *, human: tuple[str, ...] = ()) -> CaptionLine:
    spoken = words(text, start, human=human)
    return CaptionLine(name, start, spoken[-1].end_ms, text, spoken)


def text_of(line: CaptionLine | None) -> str | None:
    return None if line is None else line.text


def run(lines: list[CaptionLine], found: tuple[CaptionWord, ...]) -> dict[str, tuple[str | None, str | None, Choice]]:
    result = proposals(lines, found, spans_of(lines), DEFAULT_RULES)
    return {each.id: (text_of(each.found), text_of(each.joined), each.default) for each in result}


def test_a_line_nobody_touched_takes_the_new_words_and_an_equal_one_is_left_out() -> None:
    lines = [line("a", "the harbor is closed", 0), line("b", "nobody knows", 5_000)]
    found = (*words("the harbour was closed", 0), *words("nobody knows", 5_000))
    assert run(lines, found) == {"a": ("the harbour was closed", None, Choice.NEW)}


def test_words_of_a_person_are_locked_and_their_line_stays_unless_chosen() -> None:
    lines = [line("a", "the Harpa is closed", 0, human=("Harpa",))]
    assert run(lines, words("a harbour was closed", 0)) == {
        "a": ("a harbour was closed", "a Harpa was closed", Choice.MINE)
    }


def test_a_line_in_which_nothing_is_heard_stays_unless_chosen() -> None:
    lines = [line("a", "thanks for watching", 0), line("b", "nobody knows", 5_000)]
    assert run(lines, words("nobody knows", 5_000)) == {"a": (None, None, Choice.MINE)}


def test_speech_between_the_lines_is_offered_as_a_line_of_its_own() -> None:
    lines = [line("a", "one two", 0), line("b", "five six", 8_000)]
    found = (*words("one two", 0), *words("three four", 4_000), *words("five six", 8_000))
    result = proposals(lines, found, [(0, 9_000)], DEFAULT_RULES)
    assert [(each.id, each.mine, text_of(each.found)) for each in result] == [("new-1", None, "three four")]
    assert 700 < result[0].start_ms < 8_000


def test_lines_outside_the_parts_are_not_touched() -> None:
    lines = [line("a", "one two", 0), line("b", "five six", 8_000)]
    found = (*words("ein zwei", 0), *words("seven eight", 8_000))
    assert [each.id for each in proposals(lines, found, [(0, 700)], DEFAULT_RULES)] == ["a"]


@given(st.integers(0, 2**32))
def test_defaults_never_lose_a_word_of_a_person_and_joined_keeps_all(seed: int) -> None:
    chance = random.Random(seed)
    lines, at = [], 0
    for _ in range(chance.randint(1, 8)):
        text = " ".join(chance.choices(["alpha", "beta", "gamma", "delta", "epsilon"], k=chance.randint(1, 6)))
        human = tuple(set(chance.sample(text.split(), k=1))) if chance.random() < 0.5 else ()
        lines.append(line(str(uuid.UUID(int=chance.getrandbits(128))), text, at, human=human))
        at = lines[-1].end_ms + chance.randint(0, 3_000)
    spoken = [" ".join(chance.choices(["alpha", "beta", "zeta", "eta"], k=chance.randint(1, 6))) for _ in lines]
    found = tuple(
        word for each, text in zip(lines, spoken, strict=True) for word in words(text, max(0, each.start_ms - 200))
    )
    for each in proposals(lines, found, spans_of(lines), DEFAULT_RULES):
        if each.mine is None:
            continue
        written = [word for word in each.mine.words if word.origin is Origin.HUMAN]
        after = each.chosen(each.default)
        assert not written or after == each.mine
        if each.joined is not None:
            assert all(word in each.joined.words for word in written)


def test_windows_cover_the_parts_with_a_margin_and_none_is_too_long() -> None:
    windows = list(span_windows([(1_000, 3_000), (3_100, 4_000), (10_000, 80_000)], 79_000))
    assert [(window.start_ms, window.end_ms) for window in windows[:2]] == [(750, 3_250), (3_250, 4_250)]
    assert windows[2].start_ms == 9_750
    assert windows[-1].end_ms == 79_000
    assert all(window.end_ms - window.start_ms <= 30_000 for window in windows)
    assert [window.index for window in windows] == list(range(len(windows)))
