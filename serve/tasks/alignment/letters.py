"""Brings the words of a text to the tokens of a model."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ANY = -1
"""Stands for sound that is speech, whatever its letters: words of which the model knows none, such as numbers."""
_SPACES = (" ", "\u2581", "|")


@dataclass(frozen=True, slots=True)
class Spelling:
    """The tokens of a text. `owners` says of each which word it belongs to; None for the space between two words."""

    tokens: tuple[int, ...]
    owners: tuple[int | None, ...]


class Alphabet:
    """The tokens of a model, by letter."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._letters = {letter: number for letter, number in numbers.items() if len(letter) == 1}
        self._space = next((numbers[mark] for mark in _SPACES if mark in numbers), None)

    @property
    def space(self) -> int | None:
        return self._space

    def spell(self, words: Sequence[str]) -> Spelling:
        """Each word by its letters. Letters that the model lacks are tried without their accents, then left out."""
        tokens: list[int] = []
        owners: list[int | None] = []
        for index, word in enumerate(words):
            if index and self._space is not None:
                tokens.append(self._space)
                owners.append(None)
            spelled = [number for letter in word.casefold() for number in self._numbers(letter)]
            for number in spelled or [ANY]:
                tokens.append(number)
                owners.append(index)
        return Spelling(tuple(tokens), tuple(owners))

    def _numbers(self, letter: str) -> list[int]:
        if letter in self._letters:
            return [self._letters[letter]]
        bare = unicodedata.normalize("NFD", letter)[0]
        return [self._letters[bare]] if bare.isalpha() and bare in self._letters else []
