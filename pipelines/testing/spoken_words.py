"""Words with times as from an engine, for tests that need no sound."""

from __future__ import annotations

from pipelines.messages.lines import CaptionWord, Origin


def spoken(text: str, *, start_ms: int = 0, sentence_pause_ms: int = 300) -> list[CaptionWord]:
    """The text spoken at about 15 characters per second, with a pause after each sentence."""
    words: list[CaptionWord] = []
    clock = start_ms
    for word in text.split():
        length = 60 * len(word) + 40
        words.append(CaptionWord(clock, clock + length, word, Origin.ASR, 0.9))
        clock += length + 20 + (sentence_pause_ms if word[-1] in ".?!" else 0)
    return words
