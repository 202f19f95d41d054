"""Who speaks a line and its words. A word without a speaker has its line's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.messages.lines import CaptionLine, CaptionWord


def words_spoken_by(words: Sequence[CaptionWord], of_line: str | None, speaker: str | None) -> tuple[CaptionWord, ...]:
    """Words of a line of `of_line`, for a line of `speaker`: each keeps who spoke it."""
    if of_line == speaker and all(word.speaker is None for word in words):
        return tuple(words)
    resolved = ((word, word.speaker or of_line) for word in words)
    return tuple(replace(word, speaker=None if who == speaker else who) for word, who in resolved)


def part_of(line: CaptionLine, words: Sequence[CaptionWord]) -> CaptionLine:
    """The line with only these of its words. Where one person speaks all of them, the part is that person's."""
    speakers = {word.speaker or line.speaker for word in words}
    speaker = speakers.pop() if len(speakers) == 1 else line.speaker
    return replace(line, speaker=speaker, words=words_spoken_by(words, line.speaker, speaker))


def words_of_both(left: CaptionLine, right: CaptionLine) -> tuple[str | None, tuple[CaptionWord, ...]]:
    """Speaker and words of two lines as one. The line is the first known speaker's; other words keep their own."""
    speaker = left.speaker or right.speaker
    words = (*words_spoken_by(left.words, left.speaker, speaker), *words_spoken_by(right.words, right.speaker, speaker))
    return speaker, words
