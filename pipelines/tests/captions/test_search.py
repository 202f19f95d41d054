"""Find and replace in lines, and which words a change corrected."""

from __future__ import annotations

import pytest

from pipelines.captions.edits.corrections import corrections
from pipelines.captions.edits.search import BadPattern, Replacement, SearchTerms
from pipelines.captions.texts.term_counts import count_terms


@pytest.mark.parametrize(
    ("terms", "replacement", "text", "expected"),
    [
        (SearchTerms("jón"), "Ari", "Jón og JÓN.", ("Ari og Ari.", 2)),
        (SearchTerms("jón", match_case=True), "Ari", "Jón og jón.", ("Jón og Ari.", 1)),
        (SearchTerms("is", whole_word=True), "var", "This is Ísis is_not", ("This var Ísis is_not", 1)),
        (SearchTerms("a.c("), "$0", "abc a.c(", ("abc $0", 1)),
        (SearchTerms(r"(\w+) (\w+)", is_pattern=True), "$2 $$ $1", "one two", ("two $ one", 1)),
        (SearchTerms("x*", is_pattern=True), "y", "axxb 😀", ("ayb 😀", 1)),
        (SearchTerms("(a+)+$", is_pattern=True), "", "a" * 1_000 + "b", ("a" * 1_000 + "b", 0)),
    ],
)
def test_replaces(terms: SearchTerms, replacement: str, text: str, expected: tuple[str, int]) -> None:
    assert Replacement(terms, replacement).of(text) == expected


@pytest.mark.parametrize("pattern", ["(", "(?=a)", "(a{1000}){1000}"])
def test_refuses_patterns_with_a_sentence(pattern: str) -> None:
    with pytest.raises(BadPattern, match="This pattern cannot be used"):
        Replacement(SearchTerms(pattern, is_pattern=True), "")


def test_corrections_are_words_and_not_other_wordings() -> None:
    assert list(corrections("We saw Husavik, today.", "We saw Húsavík, today.")) == [("Husavik", "Húsavík")]
    assert list(corrections("He is here", "He is there, and nobody knows for how long")) == []
    assert list(corrections("I can not go", "I cannot go")) == [("can not", "cannot")]
    assert list(corrections("The cat", "The harbour")) == []


def test_counts_texts_that_hold_terms() -> None:
    texts = ["Húsavík harbour is closed.", "The harbour of húsavík", "harbours"]
    assert count_terms(["Húsavík", "harbour", "Húsavík harbour", "pier"], texts) == [2, 2, 1, 0]
