"""Words from an alignment: in order, inside the window, trimmed to where sound is."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from serve.tasks.transcription.audio import frame_levels
from serve.tasks.transcription.whisper.word_times import AlignedWord, words_by_stretch


def noise(seconds: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.random.default_rng(1).normal(0, 0.1, round(seconds * 16_000)).astype(np.float32)


def aligned(text: str, start_s: float, end_s: float, tokens: int = 1) -> AlignedWord:
    return AlignedWord(text, start_s, end_s, 0.9, tokens)


def levels_of(wave: NDArray[np.float32]) -> Any:
    return {"levels": frame_levels(wave), "duration_ms": len(wave) // 16}


def test_a_word_does_not_keep_the_pause_before_it() -> None:
    wave = np.concatenate([np.zeros(16_000, np.float32), noise(1), np.zeros(16_000, np.float32)])
    ((word,),) = words_by_stretch([aligned(" Hello", 0.0, 2.6)], [1], **levels_of(wave), start_ms=10_000)
    assert (word.text, word.start_ms, word.end_ms) == ("Hello", 10_940, 12_060)


def test_words_go_to_the_stretch_of_their_tokens() -> None:
    words = [aligned(" one", 0, 0.5, 2), aligned(" two", 0.5, 1.0), aligned("", 1.0, 1.0, 0), aligned(" three", 1.2, 2)]
    stretches = words_by_stretch(words, [3, 1], **levels_of(noise(2)), start_ms=0)
    assert [[word.text for word in part] for part in stretches] == [["one", "two"], ["three"]]


def test_parts_without_a_space_between_are_one_word_unless_the_language_has_no_spaces() -> None:
    parts = [aligned(" nine", 0, 0.4), aligned(" o", 0.4, 0.6), aligned("'clock.", 0.6, 1.2, 2)]
    (words,) = words_by_stretch(parts, [4], **levels_of(noise(2)), start_ms=0)
    assert [(word.text, word.start_ms, word.end_ms) for word in words] == [("nine", 0, 400), ("o'clock.", 400, 1200)]
    (words,) = words_by_stretch(parts, [4], **levels_of(noise(2)), start_ms=0, spaces=False)
    assert [word.text for word in words] == ["nine", "o", "'clock."]


@given(st.lists(st.tuples(st.floats(-1, 4), st.floats(-1, 4)), max_size=30))
def test_any_alignment_gives_words_in_order_inside_the_window(times: list[tuple[float, float]]) -> None:
    words = [aligned(f" w{n}", start, end) for n, (start, end) in enumerate(times)]
    (spoken,) = words_by_stretch(words, [len(words)], **levels_of(noise(2)), start_ms=7_000)
    assert [word.text for word in spoken] == [f"w{n}" for n in range(len(times))]
    edges = [edge for word in spoken for edge in (word.start_ms, word.end_ms)]
    assert edges == sorted(edges)
    assert all(7_000 <= edge <= 9_000 for edge in edges)
    # Two seconds have room for all of them.
    assert all(word.end_ms > word.start_ms for word in spoken)
