"""Which terms of a glossary a speech model gets."""

from __future__ import annotations

from pipelines.messages.spoken_terms import PROMPT_CHARS_MAX, PROMPT_TERMS_MAX, SpokenTerm, terms_in
from serve.core.messages import EngineInfo

WHISPER = EngineInfo("transcription", "whisper", "tiny", "cpu", "Test.", takes_vocabulary=True)
OFFLINE = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "Test.")

TERMS = (
    SpokenTerm(text="Akureyri"),
    SpokenTerm(text="harbour", language="en-GB"),
    SpokenTerm(text="höfn", language="is-IS"),
    SpokenTerm(text="akureyri", language="is-IS"),
)


def test_terms_follow_the_language_that_is_spoken() -> None:
    assert terms_in(TERMS, "en", WHISPER) == ("Akureyri", "harbour")
    assert terms_in(TERMS, "is", WHISPER) == ("Akureyri", "höfn")
    assert terms_in(TERMS, None, WHISPER) == ("Akureyri",)


def test_an_engine_without_a_vocabulary_gets_none() -> None:
    assert terms_in(TERMS, "en", OFFLINE) == ()


def test_terms_are_bounded_by_what_a_prompt_holds() -> None:
    short = tuple(SpokenTerm(text=f"N{number}") for number in range(200))
    assert terms_in(short, "en", WHISPER) == tuple(f"N{number}" for number in range(PROMPT_TERMS_MAX))
    long = tuple(SpokenTerm(text=f"{number}".rjust(50, "x")) for number in range(200))
    assert len(", ".join(terms_in(long, "en", WHISPER))) <= PROMPT_CHARS_MAX
