"""Sections of a transcript: every line once, cuts where people pause, overlap, limits."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.ai_text.sections import LONGEST_MS, OVERLAP_MS, Section, estimated_tokens, halves, sections
from pipelines.messages.minutes import TextLine

MINUTE = 60_000


def line(number: int, start_ms: int, *, length_ms: int = 4000, text: str = "", speaker: str | None = None) -> TextLine:
    return TextLine(
        id=f"l{number}", start_ms=start_ms, end_ms=start_ms + length_ms, text=text or f"line {number}.", speaker=speaker
    )


def talk(minutes: float, *, every_ms: int = 5000) -> list[TextLine]:
    return [line(number, number * every_ms) for number in range(round(minutes * MINUTE / every_ms))]


def own_lines(found: list[Section]) -> list[int]:
    return [at for section in found for at in range(section.core, section.end)]


def test_a_short_talk_is_one_section() -> None:
    assert sections(talk(9.9)) == [Section(0, 0, len(talk(9.9)))]


def test_three_hours_have_sections_of_eight_to_ten_minutes_that_overlap_by_a_tenth() -> None:
    lines = talk(180)
    found = sections(lines)
    assert own_lines(found) == list(range(len(lines)))
    for section, after in pairwise(found):
        length = lines[after.core].start_ms - lines[section.core].start_ms
        assert 8 * MINUTE <= length <= LONGEST_MS
        assert lines[after.core].start_ms - lines[after.first].start_ms == OVERLAP_MS // 5000 * 5000


def test_it_cuts_where_another_person_begins() -> None:
    lines = [line(number, number * 5000, speaker="Anna" if number < 105 else "Jon") for number in range(200)]
    assert sections(lines)[0].end == 105


def test_it_cuts_at_the_longest_pause() -> None:
    lines = [line(number, number * 5000 + (3000 if number >= 100 else 0)) for number in range(200)]
    assert sections(lines)[0].end == 100


def test_sections_that_are_too_long_for_the_model_are_halved() -> None:
    lines = [line(number, number * 1000, text="word " * 50) for number in range(300)]
    found = sections(lines, most_tokens=2000)
    assert own_lines(found) == list(range(300))
    assert max(estimated_tokens(lines[section.first : section.end]) for section in found) <= 2000


def test_a_line_that_is_too_long_alone_stays_whole() -> None:
    lines = [line(0, 0, text="word " * 2000), line(1, 5000)]
    assert own_lines(sections(lines, most_tokens=100)) == [0, 1]


times = st.lists(st.integers(0, 120_000), min_size=1, max_size=120)


@settings(max_examples=60)
@given(times, st.one_of(st.none(), st.integers(1, 500)))
def test_every_line_is_in_exactly_one_section(gaps: list[int], most: int | None) -> None:
    lines, at = [], 0
    for number, gap in enumerate(gaps):
        lines.append(line(number, at))
        at += 4000 + gap
    found = sections(lines, most_tokens=most)
    assert own_lines(found) == list(range(len(lines)))
    assert all(section.first <= section.core < section.end for section in found)


def test_halving_ends() -> None:
    lines = talk(20)
    todo = [Section(0, 0, 40), Section(10, 39, 40)]
    singles = []
    while todo:
        section = todo.pop()
        cut = halves(lines, section)
        if not cut:
            singles.append(section)
        todo += cut
    assert sorted({section.core for section in singles}) == list(range(40))
