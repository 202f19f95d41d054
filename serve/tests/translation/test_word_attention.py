"""Attention between pieces folded to words."""

from __future__ import annotations

import numpy as np
import pytest

from serve.tasks.translation.seq2seq.word_attention import Rows, chained, even, fold, piece_shares


def folded(attention: list[list[float]], source: list[str], target: list[str], words: tuple[str, str]) -> Rows:
    source_text, target_text = words
    return fold(
        np.array(attention), piece_shares(target, target_text.split()), piece_shares(source, source_text.split())
    )


def test_pieces_of_a_word_count_together() -> None:
    rows = folded(
        [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.0, 0.0, 1.0]],
        ["▁Good", "▁mor", "ning"],
        ["▁Góð", "an", "▁dag"],
        ("Good morning", "Góðan dag"),
    )
    assert len(rows) == 2
    assert rows[0] == pytest.approx(((0.5 + 0.1) / 2, (0.5 + 0.9) / 2))
    assert rows[1] == (0.0, 1.0)


def test_a_word_that_looks_at_nothing_looks_at_everything_alike() -> None:
    assert folded([[0.0, 0.0]], ["▁a", "▁b"], ["▁c"], ("a b", "c")) == ((0.5, 0.5),)


def test_lone_spaces_and_pieces_over_two_words() -> None:
    shares = piece_shares(["▁", "ab", "▁c▁d"], ["ab", "c", "d"])
    assert shares.tolist() == [[0, 0, 0], [1, 0, 0], [0, 0.5, 0.5]]


def test_text_that_sentencepiece_rewrote_is_assigned_by_its_position() -> None:
    """A no-break space became a space: three pieces stand for two words."""
    shares = piece_shares(["▁10", "▁km", "▁away"], ["10\u00b7km", "away"])
    assert shares.shape == (3, 2)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert shares.argmax(axis=1).tolist() == [0, 0, 1]


@pytest.mark.parametrize(("source", "target"), [("", "a"), ("a", ""), ("", "")])
def test_empty_texts_have_no_attention(source: str, target: str) -> None:
    sources, targets = source.split(), target.split()
    attention = np.zeros((len(targets), len(sources)))
    assert fold(attention, piece_shares(targets, targets), piece_shares(sources, sources)) == ()
    assert even(source, target) == ()


def test_attention_through_another_language() -> None:
    into = ((1.0, 0.0, 0.0), (0.0, 0.5, 0.5))
    onward = ((0.0, 1.0), (1.0, 0.0))
    assert chained(into, onward) == ((0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    assert chained(into, ((1.0, 0.0, 0.0),)) == ()
    assert chained((), onward) == ()


def test_unchanged_text_lies_on_the_diagonal() -> None:
    assert even("a b", "a b") == ((1.0, 0.0), (0.0, 1.0))
