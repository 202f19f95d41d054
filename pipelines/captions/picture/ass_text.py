"""The text of an ASS event: escaped, broken into rows, and with codes where the appearance changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pipelines.captions.emoji.drawing import EmojiDrawings
from pipelines.captions.emoji.sequences import EMOJI_FAMILY, emoji_starts
from pipelines.captions.fonts.font_files import families_of, font_face
from pipelines.captions.picture.rows import fit_rows, without_piles
from pipelines.messages.caption_style import CaptionStyle
from pipelines.messages.lines import CaptionLine, WordStyle

# Signs that players ignore, and by which our reader finds the captions that a script draws.
MADE_BY = "Sagascript"
"""The script's author. Its style is then the file's, not that of each caption."""
NEXT_WORD = "next word"
"""The effect of an event that shows the caption before it again, with its next word lit."""
COMMA = "\u201a"
"""Stands for the comma in names, which ends a field."""
ROW_END = "{fit}\\N"
"""Ends a row for want of room, not because the caption says so."""

_JOINER = "\u2060"
"""Has no width and is never drawn: after a backslash it prevents readers from seeing a code."""
_ROW_BREAK = "\v"
"""Stands for a row that ends for want of room, not because the caption says so. `plain` removes those of the text."""
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\x85\u2028\u2029\ufffe\uffff]")
"""Controls and two noncharacters: ffmpeg drops a whole line because of one U+FFFE."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that look alike. `word` is the index of their word in the line; `family` is None for system fonts.

    An emoji is a run of its own.
    """

    text: str
    word: int | None
    family: str | None
    bold: bool = False
    italic: bool = False
    underline: bool = False
    is_emoji: bool = False


@dataclass(frozen=True, slots=True)
class Appearance:
    """How a run is drawn. `scale` enlarges it."""

    family: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    colour: str = "#ffffff"
    scale: float = 1.0


def plain(text: str) -> str:
    """The text with newlines as `\\n` and without characters that break a script."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


def escape_for_libass(text: str) -> str:
    """Escape `{` and `}`. A backslash has no escape, so nothing may follow it directly."""
    safe = plain(text).replace("\\", "\\" + _JOINER).replace("{", "\\{").replace("}", "\\}")
    return safe.replace("\n", "\\N")


def escape_for_track(text: str) -> str:
    """ffmpeg's own reader has no escapes, only the codes `{\\` and `\\N`, and keeps everything else."""
    safe = re.sub(r"\{(?=\\)", "{" + _JOINER, plain(text))
    return re.sub(r"\\(?=[nN])", lambda _: "\\" + _JOINER, safe).replace("\n", "\\N")


def runs_of(
    line: CaptionLine, text: str, owners: Iterator[int | None], *, style: CaptionStyle, size: float, room: float
) -> list[Run]:
    """The runs of `text`, a part of a line.

    Takes the word of each of its letters from `owners`. `size` and `room` are in the same unit: the font size, and the
    width of a row.
    """
    shown = fit_rows(_cased(plain(text), style), size, room, style.font, row_end=_ROW_BREAK)
    words: list[int | None] = []
    for character in shown:
        if character.isspace():
            words.append(words[-1] if words else None)
        else:
            words.append(next(owners, None))
    families = families_of(shown.replace(_ROW_BREAK, "\n"), style.font)
    starts = emoji_starts(shown, families)
    # One font for all characters of an emoji: a digit in a box is one picture.
    families = [EMOJI_FAMILY if start is not None else family for family, start in zip(families, starts, strict=True)]
    keys = zip(shown, words, families, starts, strict=True)
    runs = []
    for (word, family, emoji), group in groupby(keys, key=lambda each: each[1:]):
        styles = line.words[word].styles if word is not None else frozenset()
        runs.append(
            Run(
                "".join(each[0] for each in group),
                word,
                family,
                bold=WordStyle.BOLD in styles,
                italic=WordStyle.ITALIC in styles,
                underline=WordStyle.UNDERLINE in styles,
                is_emoji=emoji is not None,
            )
        )
    return runs


def owners_of(line: CaptionLine, style: CaptionStyle) -> list[int | None]:
    """The word of each letter of the line that is not a space. A label of the speaker in front belongs to no word."""
    if not line.words:
        return []
    letters = _letters(line.text, style)
    words = [_letters(word.text, style) for word in line.words]
    in_words = "".join(words)
    if not in_words or not letters.endswith(in_words):
        return []
    owners: list[int | None] = [None] * (len(letters) - len(in_words))
    for index, word in enumerate(words):
        owners += [index] * len(word)
    return owners


def _letters(text: str, style: CaptionStyle) -> str:
    return "".join(without_piles(_cased(plain(text), style)).split())


def _cased(text: str, style: CaptionStyle) -> str:
    return text.upper() if style.uppercase else text


def written(
    runs: Sequence[Run], shown: Sequence[Appearance], base: Appearance, size: float, drawings: EmojiDrawings
) -> str:
    """The runs with codes where the appearance differs from that of the run before; `size` in pixels.

    `base` is what the style gives all text. `bold`, `italic` and `underline` of `shown` are those of the words, and are
    written where the style has them already too: a reader of the script then finds them.
    """
    pieces = []
    now = start = replace(base, bold=False, italic=False)
    for run, wanted in zip(runs, shown, strict=True):
        drawing = drawings.codes(run.text, wanted.scale) if run.is_emoji else None
        if drawing is not None:
            pieces.append(drawing)
            now = start
            continue
        drawn = replace(wanted, underline=False) if run.text.isspace() else wanted
        codes = _codes(now, drawn, base, size)
        pieces.append(f"{{{codes}}}" if codes else "")
        pieces.append(ROW_END.join(map(escape_for_libass, run.text.split(_ROW_BREAK))))
        now = drawn
    return "".join(pieces)


def _codes(now: Appearance, wanted: Appearance, base: Appearance, size: float) -> str:
    codes = ""
    if wanted.family != now.family:
        codes += f"\\fn{wanted.family}"
        # The same em in both fonts: libass scales by ascent and descent, of which some scripts have much more.
        codes += f"\\fs{size * font_face(base.family).em / font_face(wanted.family).em:.2f}"
    if wanted.bold != now.bold:
        codes += _switch("b", is_on=wanted.bold, is_base=base.bold)
    if wanted.italic != now.italic:
        codes += _switch("i", is_on=wanted.italic, is_base=base.italic)
    if wanted.underline != now.underline:
        codes += f"\\u{int(wanted.underline)}"
    if wanted.colour != now.colour:
        codes += f"\\1c&H{wanted.colour[5:7]}{wanted.colour[3:5]}{wanted.colour[1:3]}&".upper().replace("\\1C", "\\1c")
    if wanted.scale != now.scale:
        codes += f"\\fscx{wanted.scale * 100:g}\\fscy{wanted.scale * 100:g}"
    return codes


def _switch(code: str, *, is_on: bool, is_base: bool) -> str:
    """Without a number a code returns to the style."""
    return f"\\{code}1" if is_on else f"\\{code}" if is_base else f"\\{code}0"
