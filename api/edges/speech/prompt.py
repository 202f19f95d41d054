"""What a program says about its sound beforehand, as terms for the speech model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from api.platform.http.text import clean_line
from pipelines.messages.spoken_terms import PROMPT_CHARS_MAX, SpokenTerm

_PIECES = re.compile(r"[,;\n\r。、；，]+|(?<=[^\W\d_]{3}[.!?…])\s+")
"""A full stop after fewer than three letters belongs to an abbreviation."""
_EDGES = " .!?…:"


def terms_of(keywords: Sequence[str], prompt: str | None) -> tuple[SpokenTerm, ...]:
    """The keywords, and then the pieces of the prompt in order. They apply to speech in any language.

    Of a long prompt its end counts, as with Whisper. A prompt is cut at commas and ends of sentences, because an answer
    that recites one of its terms is decoded again without them (`serve/tasks/transcription/whisper/vocabulary.py`).
    """
    texts = dict.fromkeys((*keywords, *_last(list(_pieces(prompt or "")))))
    return tuple(SpokenTerm(text=text) for text in texts)


def _pieces(prompt: str) -> Iterator[str]:
    for piece in _PIECES.split(prompt):
        text = " ".join(clean_line(piece).split()).strip(_EDGES)
        if text:
            yield text


def _last(pieces: Sequence[str]) -> Iterable[str]:
    """The pieces at the end that fit together; of one that is too long by itself, its last words."""
    free = PROMPT_CHARS_MAX
    chosen: list[str] = []
    for piece in reversed(pieces):
        if len(piece) > free:
            if not chosen:
                chosen.append(piece[-free:].partition(" ")[2] or piece[-free:])
            break
        chosen.append(piece)
        free -= len(piece) + 2
    return reversed(chosen)
