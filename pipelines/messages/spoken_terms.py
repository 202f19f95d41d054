"""Terms that may be spoken in a file: what a job carries of a glossary, and what of it the speech model gets."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.languages import whisper_code
from pipelines.messages.json_message import JsonMessage
from serve.core.messages import EngineInfo

TERMS_MAX = 300
"""Terms of one job, of all languages."""
PROMPT_TERMS_MAX = 50
PROMPT_CHARS_MAX = 450
"""What a speech model gets for one language. Whisper reads 223 tokens, and a token has two letters or more."""


class SpokenTerm(JsonMessage):
    """`language` is a locale code; None: the term may be spoken in any language."""

    text: str
    language: str | None = None


def terms_in(terms: Sequence[SpokenTerm], code: str | None, engine: EngineInfo) -> tuple[str, ...]:
    """The terms for speech in a language, by its Whisper code, in order and within what a prompt holds.

    Without a code, only terms of any language. None for an engine that takes no vocabulary.
    """
    if not engine.takes_vocabulary:
        return ()
    chosen: dict[str, str] = {}
    free = PROMPT_CHARS_MAX
    for term in terms:
        fits = term.language is None or (code is not None and whisper_code(term.language) == code)
        if not fits or term.text.casefold() in chosen or len(term.text) > free:
            continue
        chosen[term.text.casefold()] = term.text
        free -= len(term.text) + 2
        if len(chosen) == PROMPT_TERMS_MAX:
            break
    return tuple(chosen.values())
