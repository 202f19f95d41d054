"""Decides which words of a changing text are final: those that several readings in a row agree on.

Agreement of readings: LocalAgreement (Liu, Spanakis and Niehues, Interspeech 2020), which compares the last two. Ours
counts the sound over which a word has stood, because engines read at any pace.
"""

from __future__ import annotations

from collections.abc import Sequence

from serve.core.text.words import words as words_in
from serve.tasks.live.messages import LiveText
from serve.tasks.transcription.messages import Word

AGREED_MS = 1_000
"""A word is final once it has stood unchanged, with all words before it, while so much sound arrived."""
SPEAKING_MS = 300
"""The last word may not be complete yet."""


class StableWords:
    """The words of one recording. Final words never change, whatever the engine reads later."""

    def __init__(self, final_until_ms: int = 0) -> None:
        """`final_until_ms` is where the last final word ends."""
        self.final_until_ms = final_until_ms
        self._standing: list[tuple[str, int]] = []
        """The words after the final ones, each with the end of the sound when it was first read like this."""
        self._counted = 0
        """Words of this utterance that its engine itself called final."""

    def update(
        self, text: LiveText, heard_ms: int, *, is_complete: bool = False
    ) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """A new reading of the utterance: the words that are final now, and those that may still change.

        `heard_ms` is where the sound that was read ends. With `is_complete` all words are final.
        """
        given = self._given(text)
        open_words = text.words[given:]
        self._standing = self._stood(open_words, heard_ms)
        count = max(text.final - given, self._agreed(open_words, heard_ms))
        final = open_words if is_complete else open_words[: max(0, count)]
        self._counted = 0 if is_complete else max(self._counted, text.final)
        if final:
            self.final_until_ms = max(self.final_until_ms, final[-1].end_ms)
            del self._standing[: len(final)]
        if is_complete:
            self._standing = []
        return final, open_words[len(final) :]

    def _given(self, text: LiveText) -> int:
        """How many words of a reading, its first ones, are final already: where they end says it, or their number."""
        by_time = sum((word.start_ms + word.end_ms) // 2 < self.final_until_ms for word in text.words)
        return min(len(text.words), max(by_time, self._counted))

    def _stood(self, words: Sequence[Word], heard_ms: int) -> list[tuple[str, int]]:
        standing: list[tuple[str, int]] = []
        is_same = True
        for index, word in enumerate(words):
            text = _compared(word)
            before = self._standing[index] if is_same and index < len(self._standing) else None
            is_same = before is not None and before[0] == text
            standing.append((text, before[1] if is_same and before is not None else heard_ms))
        return standing

    def _agreed(self, words: Sequence[Word], heard_ms: int) -> int:
        count = 0
        for word, (_, since) in zip(words, self._standing, strict=True):
            if heard_ms - since < AGREED_MS or word.end_ms > heard_ms - SPEAKING_MS:
                break
            count += 1
        return count


def _compared(word: Word) -> str:
    """Without case and punctuation, which readings change for as long as a sentence goes on."""
    return " ".join(words_in(word.text)) or word.text
