"""What the tiny transducer can say: the phrase book in pieces, and which piece may follow which."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from serve.testing.tiny_models.clips import Clip, load_clips

LANGUAGES = ("en", "es", "de")
"""Languages of the phrase book that the real model has, too."""
SPACE = "\u2581"
"""Begins a piece that begins a word, as in sentencepiece."""
BLANK = "<blk>"
UNKNOWN = "<unk>"
_LONGEST = 5
_ENDINGS = ".?,"
_SENTENCE_ENDS = (".", "?")


def pieces_of(text: str) -> list[str]:
    """The pieces of a sentence: `▁weat her ▁is ▁fine .`"""
    pieces = []
    for word in text.split():
        stem = word.rstrip(_ENDINGS)
        # Of equal length: a piece of one letter would be too short to be found.
        longest = -(-len(stem) // -(-len(stem) // _LONGEST))
        parts = re.findall(f".{{1,{longest}}}", stem)
        pieces += [SPACE + parts[0], *parts[1:], *word[len(stem) :]]
    return pieces


class Script:
    """The sentences of the phrase book in the model's languages."""

    def __init__(self) -> None:
        self.clips: list[Clip] = [clip for clip in load_clips() if clip.lang in LANGUAGES]
        sentences = {clip.text: pieces_of(clip.text) for clip in self.clips}
        self.vocabulary = [UNKNOWN, *dict.fromkeys(piece for pieces in sentences.values() for piece in pieces)]
        self._ids = {piece: index for index, piece in enumerate(self.vocabulary)}
        self.sentences = {text: [self._ids[piece] for piece in pieces] for text, pieces in sentences.items()}

    @property
    def blank(self) -> int:
        return len(self.vocabulary)

    @cached_property
    def followers(self) -> dict[int, set[int]]:
        """The pieces that may follow each one; those that may begin a sentence follow `blank` and an ending."""
        first = {pieces[0] for pieces in self.sentences.values()}
        followers: dict[int, set[int]] = {self.blank: first}
        for pieces in self.sentences.values():
            for piece, after in pairwise(pieces):
                followers.setdefault(piece, set()).add(after)
        for ending in _SENTENCE_ENDS:
            followers[self._ids[ending]] = first
        return followers

    @property
    def token_lines(self) -> list[str]:
        """Lines of `tokens.txt`."""
        return [f"{piece} {index}" for index, piece in enumerate([*self.vocabulary, BLANK])]
