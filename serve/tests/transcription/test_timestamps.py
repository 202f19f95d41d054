"""Cutting decoded tokens at timestamp tokens: no text is lost, and times rise inside the window."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from serve.tasks.transcription.whisper.timestamps import Stretch, split

END, BEGIN = 100, 110


def at(seconds: float) -> int:
    return BEGIN + round(seconds * 50)


def cut(tokens: list[int], duration_ms: int = 30_000) -> list[Stretch]:
    return split(tokens, timestamp_begin=BEGIN, end_of_text=END, duration_ms=duration_ms)


def test_two_sentences() -> None:
    tokens = [at(0.5), 1, 2, at(2.0), at(3.0), 3, at(4.0)]
    assert cut(tokens) == [Stretch(500, 2000, (1, 2)), Stretch(3000, 4000, (3,))]


def test_text_after_the_last_time_lasts_to_the_end_of_the_window() -> None:
    assert cut([at(0), 1, at(1), at(1), 2, 3], 5_000) == [Stretch(0, 1000, (1,)), Stretch(1000, 5000, (2, 3))]


def test_text_without_times_fills_the_window() -> None:
    assert cut([1, 2], 1_500) == [Stretch(0, 1500, (1, 2))]


def test_times_alone_are_no_text() -> None:
    assert cut([at(0), at(3)]) == []


@given(st.lists(st.integers(0, BEGIN + 1600), max_size=40), st.integers(1, 30_000))
def test_any_tokens_keep_their_text_and_their_order(tokens: list[int], duration_ms: int) -> None:
    stretches = cut(tokens, duration_ms)
    assert [token for part in stretches for token in part.tokens] == [token for token in tokens if token < END]
    times = [time for part in stretches for time in (part.start_ms, part.end_ms)]
    assert times == sorted(times)
    assert all(0 <= time <= duration_ms for time in times)
