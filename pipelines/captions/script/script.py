"""The text that somebody speaks, with its captions where it comes as captions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.reading.cues import with_words
from pipelines.captions.spacing import space_out
from pipelines.captions.texts.text import clean_text, word_units
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord


@dataclass(frozen=True, slots=True)
class Script:
    """`captions` is empty for plain text, whose captions are made by rules."""

    words: tuple[str, ...]
    captions: tuple[CaptionLine, ...] = ()

    @classmethod
    def of_text(cls, text: str) -> Script:
        return cls(tuple(word_units(clean_text(text))))

    @classmethod
    def of_captions(cls, captions: Sequence[CaptionLine]) -> Script:
        """Their times are not used."""
        units = (unit for line in captions for word in with_words(line).words for unit in word_units(word.text))
        return cls(tuple(units), tuple(captions))

    def lines(self, words: Mapping[int, CaptionWord], rules: CaptionRules, language: str) -> list[CaptionLine]:
        """Captions of the words that have a place, by their index in the script.

        A caption of the script keeps its text; one of which no word has a place is left out.
        """
        if not self.captions:
            return lines_from_words([words[index] for index in sorted(words)], rules, language)
        lines: list[CaptionLine] = []
        first = 0
        for caption in map(with_words, self.captions):
            count = sum(len(word_units(word.text)) for word in caption.words)
            placed = words.keys() & range(first, first + count)
            if placed:
                start, end = words[min(placed)].start_ms, max(words[index].end_ms for index in placed)
                timed = _timed(caption.words, first, words, start)
                lines.append(replace(caption, start_ms=start, end_ms=max(end, start + 1), words=timed))
            first += count
        return space_out(sorted(lines, key=lambda line: line.start_ms), rules)


def _timed(
    caption: Sequence[CaptionWord], first: int, words: Mapping[int, CaptionWord], start_ms: int
) -> tuple[CaptionWord, ...]:
    """The caption's words, styles kept. One without a place follows the one before it at once."""
    timed: list[CaptionWord] = []
    for word in caption:
        after = first + len(word_units(word.text))
        placed = [words[index] for index in range(first, after) if index in words]
        first = after
        if placed:
            start_ms, end_ms = placed[0].start_ms, placed[-1].end_ms
            timed.append(replace(word, start_ms=start_ms, end_ms=end_ms, confidence=placed[0].confidence))
            start_ms = end_ms
        else:
            timed.append(replace(word, start_ms=start_ms, end_ms=start_ms, confidence=None))
    return tuple(timed)
