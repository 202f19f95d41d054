"""What of a prompt reaches a speech model."""

from __future__ import annotations

import pytest

from api.edges.speech.prompt import terms_of
from pipelines.messages.spoken_terms import PROMPT_CHARS_MAX, terms_in
from serve.core.messages import EngineInfo

WHISPER = EngineInfo("transcription", "whisper", "tiny", "cpu", "Found.", takes_vocabulary=True)


def texts(prompt: str | None, *keywords: str) -> list[str]:
    return [term.text for term in terms_of(keywords, prompt)]


@pytest.mark.parametrize(
    ("prompt", "pieces"),
    [
        (None, []),
        ("  \n.,", []),
        ("ZyntriQix, Digique Plus; CynapseFive", ["ZyntriQix", "Digique Plus", "CynapseFive"]),
        ("He met Dr. Smith there. Then they left!", ["He met Dr. Smith there", "Then they left"]),
        ("Ada, Ada", ["Ada"]),
        ("one\x00two\x1b[0m", ["one two [0m"]),
    ],
)
def test_a_prompt_is_cut_where_its_parts_end(prompt: str | None, pieces: list[str]) -> None:
    assert texts(prompt) == pieces


def test_the_end_of_a_long_prompt_counts() -> None:
    names = [f"Name{number}" for number in range(2_000)]
    said = texts(", ".join(names), "Keyword")
    assert (said[0], said[-1]) == ("Keyword", "Name1999")
    assert len(", ".join(said[1:])) <= PROMPT_CHARS_MAX
    assert said[1:] == names[-len(said[1:]) :]
    (end,) = texts("word " * 1_000)
    assert PROMPT_CHARS_MAX - 10 < len(end) <= PROMPT_CHARS_MAX
    (unbroken,) = texts("x" * 1_000)
    assert len(unbroken) == PROMPT_CHARS_MAX


def test_engines_without_a_vocabulary_get_nothing() -> None:
    terms = terms_of(["Ada"], "Bragi")
    assert terms_in(terms, "is", WHISPER) == ("Ada", "Bragi")
    assert terms_in(terms, "is", EngineInfo("transcription", "parakeet", "v3", "cpu", "Found.")) == ()
