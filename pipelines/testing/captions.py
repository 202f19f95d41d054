"""Caption lines with every kind of look, the documents that hold them, and words as from an engine."""

from __future__ import annotations

from dataclasses import replace

from pipelines.captions.forms.form import Document
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.captions.texts.styled_text import from_markup, ink_of, plain_text, words_of_ink
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, Origin

NAMES = {"S1": "Ada Björk", "S2": "Bob & <Eve>"}


def line(start_ms: int, markup: str, speaker: str | None = None, place: LinePlace | None = None) -> CaptionLine:
    runs = from_markup(markup)
    plain = CaptionLine(str(start_ms), start_ms, start_ms + 1_600, plain_text(runs), speaker=speaker, place=place)
    return replace(plain, words=words_of_ink(plain, ink_of(runs)))


LINES = [
    line(1_000, "Þetta er <i>skáletrað</i> orð", "S1"),
    line(3_000, "<i>Both rows\nare italic</i>", "S2", LinePlace(8)),
    line(5_000, "<b>bold</b> and <u>under the</u> line", "S1", LinePlace(7)),
    line(7_000, "middle, left", None, LinePlace(4)),
    line(9_000, "on the right", "S2", LinePlace(9)),
    line(11_000, "the end"),
]


def typed(text: str) -> CaptionLine:
    return CaptionLine("1", 1_000, 2_600, text)


def document(lines: list[CaptionLine], speakers: SpeakerStyle = SpeakerStyle.LABELS) -> Document:
    return Document(lines, "is-IS", NAMES, speakers, "A talk, in {two} parts")


def spoken(text: str, *, start_ms: int = 0, sentence_pause_ms: int = 300) -> list[CaptionWord]:
    """The text spoken at about 15 characters per second, with a pause after each sentence."""
    words: list[CaptionWord] = []
    clock = start_ms
    for word in text.split():
        length = 60 * len(word) + 40
        words.append(CaptionWord(clock, clock + length, word, Origin.ASR, 0.9))
        clock += length + 20 + (sentence_pause_ms if word[-1] in ".?!" else 0)
    return words
