"""Gives terms to a transducer, in the form that sherpa-onnx can spell.

It spells terms by a vocabulary with scores, and drops what it cannot spell piece by piece, so that half a name would be
preferred everywhere. A word that begins with a colon is a score to it, and one that is none ends the call. So only
terms that can be spelled whole are handed over (sherpa-onnx 2.0.1, `EncodeHotwords`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from serve.tasks.transcription.sherpa.folder import tokens_of

SPACE = "\u2581"
VOCABULARY = "bpe.vocab"
SEPARATOR = "/"
ALPHABET_MAX = 200
"""More characters are no alphabet: one of Chinese is a syllable, as a piece of several letters is."""
_OF_PIECES: dict[str, Any] = {"hotwords_score": 1.5, "max_active_paths": 10}
"""sherpa-onnx's default score, which its offline decoder counts twice (its issue 3895)."""
_OF_LETTERS: dict[str, Any] = {"hotwords_score": 4.0, "max_active_paths": 20}
"""For a model that writes letter by letter: a name has many more places where the search can leave it.

On `python -m benchmarks hotwords`, `_OF_PIECES` puts in 17 of 100 names, this 31 and no wrong one. 5.0 puts in wrong
ones, and so large a bonus for each piece of several letters would win over what was said.
"""


def hotwords_of(terms: Sequence[str], pieces: Set[str]) -> str:
    """The terms that can be spelled with a model's pieces, in the spelling that it knows."""
    spelled = (_spelled(" ".join(term.replace(SEPARATOR, " ").split()), pieces) for term in terms)
    return SEPARATOR.join(dict.fromkeys(term for term in spelled if term))


def _spelled(term: str, pieces: Set[str]) -> str | None:
    # Some models know capital letters only, others none.
    for spelling in (term, term.upper(), term.lower()):
        words = spelling.split()
        if all(not word.startswith(":") and pieces >= set(word) for word in words) and SPACE in pieces:
            return spelling
    return None


@contextmanager
def vocabulary_of(folder: Path, tokens: Path) -> Iterator[str]:
    """The path of the vocabulary with scores: the folder's own, else one by the order of its tokens.

    Sentencepiece numbers the pieces of a BPE model in the order of its merges, whose scores are minus their numbers.
    """
    if (own := folder / VOCABULARY).is_file():
        yield str(own)
        return
    lines = "".join(f"{token}\t{-number}\n" for number, token in enumerate(tokens_of(tokens)))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".vocab") as file:
        file.write(lines)
        file.flush()
        yield file.name


def search_options(tokens: Path) -> dict[str, Any]:
    """The beam search that terms need, for a model with these tokens."""
    pieces = [token.removeprefix(SPACE) for token in tokens_of(tokens)]
    writes_letters = len(pieces) <= ALPHABET_MAX and all(len(piece) <= 1 for piece in pieces if piece.isalpha())
    strength = _OF_LETTERS if writes_letters else _OF_PIECES
    return {"decoding_method": "modified_beam_search", "modeling_unit": "bpe", **strength}


def single_pieces(tokens: Path) -> frozenset[str]:
    """The pieces of one character."""
    return frozenset(token for token in tokens_of(tokens) if len(token) == 1)
