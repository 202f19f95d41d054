"""Words of the search: what counts as the same, and where a text says it."""

from __future__ import annotations

import pytest

from api.content.search.excerpts import EXCERPT_CHARS, excerpt_of
from api.platform.db.search_words import WORD_CHARS_MAX, Term, hits_in, search_text, terms_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The harbour is closed, the harbour!", "the harbour is closed"),
        ("Þórshöfn ÞÓRSHÖFN þo\u0301rsho\u0308fn", "þorshofn"),
        ("Don't — don’t", "dont"),
        ("Æðey, straße", "æðey strasse"),
        ("snake_case 100% 3.14", "snake case 100 3 14"),
        ("東京都", "東京 京都 都"),
        ("東 tower 7", "東 tower 7"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("한국어를 배운다", "한국어를 배운다"),
        ("x" * 99, "x" * WORD_CHARS_MAX),
        ("\x00 … —", ""),
    ],
)
def test_texts_become_words(text: str, words: str) -> None:
    assert search_text(text) == words


def test_the_last_word_and_long_ones_may_go_on() -> None:
    assert terms_of("in The har") == [Term("in", False), Term("the", True), Term("har", True)]
    assert terms_of("fundur í") == [Term("fundur", True), Term("i", True)]
    assert terms_of("京都に") == [Term("京都", False), Term("都に", False)]
    assert terms_of("!!!") == []


@pytest.mark.parametrize(
    ("text", "keyword", "hits"),
    [
        ("Höfnin í höfn.", "hofn", ["Höfn", "höfn"]),
        ("Straße", "strasse", ["Straße"]),
        ("Don’t go", "dont", ["Don’t"]),
        ("We go to Rome", "to ro", ["to", "Ro"]),
        ("together", "to go", []),
        ("新東京都庁", "東京都", ["東京都"]),
        ("東京と京都", "東京都", ["東京", "京都"]),
        ("ﬁne ﬁsh", "fish", ["ﬁsh"]),
    ],
)
def test_hits_are_spans_of_the_text_itself(text: str, keyword: str, hits: list[str]) -> None:
    assert [text[start:end] for start, end in hits_in(text, keyword)] == hits


def test_an_excerpt_shows_the_first_hit_of_a_long_line() -> None:
    text = "before " * 60 + "the <b>harbour</b> is closed " + "after " * 60
    parts = excerpt_of(text, "harbour")
    assert [part.text for part in parts if part.is_hit] == ["harbour"]
    assert len("".join(part.text for part in parts)) <= EXCERPT_CHARS + 4
    assert parts[0].text == "… "
    assert parts[-1].text == " …"
    assert "".join(part.text for part in excerpt_of("Two\nrows", "rows")) == "Two rows"
