"""The path of a text through the frames of a model: by hand, and against every path there is."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from serve.tasks.alignment.letters import ANY, Alphabet
from serve.tasks.alignment.times import JOINED_MS, word_times
from serve.tasks.alignment.viterbi import TokenSpan, align

BLANK = 0


def shown(*frames: int, vocabulary: int = 5) -> NDArray[np.float32]:
    """Log probabilities of a model that is nearly sure of one token in each frame."""
    scores = np.full((len(frames), vocabulary), -6.0, np.float32)
    scores[np.arange(len(frames)), frames] = -0.01
    return scores


def frames_of(spans: list[TokenSpan] | None) -> list[tuple[int, int]]:
    assert spans is not None
    return [(span.first, span.last) for span in spans]


def test_each_token_has_the_frames_that_show_it() -> None:
    assert frames_of(align(shown(0, 1, 1, 0, 2, 0, 0, 3), (1, 2, 3), blank=BLANK)) == [(1, 2), (4, 4), (7, 7)]


def test_two_of_the_same_letter_need_a_blank_between_them() -> None:
    assert frames_of(align(shown(1, 1, 0, 1, 0), (1, 1), blank=BLANK)) == [(0, 1), (3, 3)]
    assert align(shown(1, 1), (1, 1), blank=BLANK) is None
    assert frames_of(align(shown(1, 0, 1), (1, 1), blank=BLANK)) == [(0, 0), (2, 2)]


def test_a_text_that_is_not_spoken_is_unlikely_and_one_that_is_too_long_is_none() -> None:
    spans = align(shown(0, 1, 0, 2), (3, 4), blank=BLANK)
    assert spans is not None
    assert all(span.log_probability < -5 for span in spans)
    assert align(shown(0, 1), (1, 2, 3), blank=BLANK) is None
    assert align(shown(0, 1), (), blank=BLANK) == []


def test_a_word_without_letters_takes_what_is_spoken_there() -> None:
    assert frames_of(align(shown(1, 0, 4, 3, 3, 0, 2), (1, ANY, 2), blank=BLANK))[1] == (2, 4)
    apart = align(shown(1, 4, 3, 4, 2), (1, 4, ANY, 4, 2), blank=BLANK, apart=(4,))
    assert frames_of(apart) == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]


@pytest.mark.long
@settings(max_examples=60)
@given(
    st.lists(st.lists(st.floats(-8, 0, width=32), min_size=4, max_size=4), min_size=1, max_size=6),
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
)
def test_no_path_is_more_likely(scores: list[list[float]], tokens: list[int]) -> None:
    table = np.array(scores, np.float32)
    paths = [
        path
        for path in product(range(4), repeat=len(table))
        if [token for token, _ in groupby(path) if token != BLANK] == tokens
    ]
    spans = align(table, tokens, blank=BLANK)
    if not paths:
        assert spans is None
        return
    best = max(sum(float(table[frame, token]) for frame, token in enumerate(path)) for path in paths)
    path = np.zeros(len(table), int)
    for token, span in zip(tokens, spans or [], strict=True):
        path[span.first : span.last + 1] = token
    found = sum(float(table[frame, token]) for frame, token in enumerate(path))
    assert found == pytest.approx(best, abs=1e-3)


def test_words_are_spelled_with_what_the_model_knows() -> None:
    alphabet = Alphabet({"<s>": 0, "\u2581": 1, "a": 2, "o": 3, "ð": 4, "'": 5})
    spelling = alphabet.spell(("Óða,", "2026", "a’a", "日本"))
    assert spelling.tokens == (3, 4, 2, 1, ANY, 1, 2, 2, 1, ANY)
    assert spelling.owners == (0, 0, 0, None, 1, None, 2, 2, None, 3)
    assert Alphabet({"a": 1}).spell(("a", "a")).tokens == (1, 1), "a model without a token for spaces"


def test_words_follow_each_other_in_order_and_stay_in_the_window() -> None:
    alphabet = Alphabet({"<s>": 0, " ": 1, "a": 2})
    spelling = alphabet.spell(("aa", "a", "a"))
    spans = [TokenSpan(at, at, -0.1) for at in (5, 8, 10, 12, 40, 60)]
    words = word_times(spans, spelling, words=3, frame_ms=20.0, start_ms=60_000, end_ms=61_000)
    assert [(word.start_ms, word.end_ms) for word in words] == [(60_060, 60_200), (60_200, 60_340), (61_000, 61_000)]
    assert words[1].end_ms - words[0].end_ms < JOINED_MS
    assert all(0.9 < word.score < 0.91 for word in words)
