"""What was read, written in another form and read again: no form may lose a line of it."""

from __future__ import annotations

import csv
import io
import unicodedata

from pipelines.captions.forms.form import CaptionFormat, Document, Kept
from pipelines.captions.forms.registry import FORM_OF, losses, write
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.markup import JOINER
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.captions.texts.text import clean_text, without_space
from pipelines.spreadsheet_cells import text_of_cell

_COARSE = frozenset({CaptionFormat.ASS, CaptionFormat.STL})
"""They count hundredths of a second or frames, so lines shorter than that may begin together and become one."""
_SLOW = frozenset({CaptionFormat.DOCX})
_SLOW_EVERY = 20
FORMS: list[CaptionFormat] = [form for form in CaptionFormat if form is not CaptionFormat.SCC]
"""SCC has the letters of western Europe alone; the tests of its writer are about what it keeps."""


def lost_on_the_way(found: Imported, number: int, language: str) -> str:
    """A sentence on what the form that belongs to `number` lost of these captions; empty where nothing is lost."""
    form = FORMS[number % len(FORMS)]
    if form in _SLOW and number // len(FORMS) % _SLOW_EVERY:
        form = CaptionFormat.CSV
    styles = list(SpeakerStyle) if form in (CaptionFormat.VTT, CaptionFormat.ASS, CaptionFormat.TTML) else []
    speakers = styles[number // len(FORMS) % len(styles)] if styles and found.speakers else SpeakerStyle.NONE
    if speakers is SpeakerStyle.DASHES:
        speakers = SpeakerStyle.NONE
    document = Document(found.lines, language, found.speakers, speakers, "A title, and <more>")
    losses(form, document)
    raw = write(form, document)
    try:
        lost = _loss(found, form, raw, language)
    except UnreadableSubtitles as unreadable:
        lost = f"refused: {unreadable}"
    return f"as {form.value}: {lost}" if lost else ""


def _loss(found: Imported, form: CaptionFormat, raw: bytes, language: str) -> str:
    meant = [_visible(line.text) for line in found.lines]
    if form is CaptionFormat.CSV:
        rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
        got = [_visible(text_of_cell(row["text"])) for row in rows]
    elif form is CaptionFormat.TXT:
        got, meant = [without_space(raw.decode().replace(JOINER, ""))], [without_space("".join(meant))]
    elif FORM_OF[form].read is None or not meant:
        return ""
    else:
        got = [_visible(line.text) for line in parse_subtitles(raw, language).lines]
    if form in _COARSE or Kept.PLACE not in FORM_OF[form].keeps:
        got, meant = ["".join(got)], ["".join(meant)]
        if form is CaptionFormat.STL:
            got, meant = [_ascii(got[0])], [_ascii(meant[0])]
            # What a table lacks may stand there in other letters: `EUR`, `x`, `7` for an Arabic seven.
            letters = iter(got[0])
            got = meant if all(letter in letters for letter in meant[0]) else got
        else:
            got, meant = [without_space(got[0])], [without_space(meant[0])]
    return "" if got == meant else _first_difference(got, meant)


def _visible(text: str) -> str:
    """The text without joiners, which nobody sees and forms add or drop, and without rows of nothing else."""
    return clean_text(text.replace(JOINER, ""))


def _ascii(text: str) -> str:
    """Letters and digits that every character table of EBU-STL has."""
    return "".join(letter for letter in unicodedata.normalize("NFC", text) if letter.isascii() and letter.isalnum())


def _first_difference(got: list[str], meant: list[str]) -> str:
    if len(got) != len(meant):
        return f"{len(got)} lines for {len(meant)}: {got[:3]!r} for {meant[:3]!r}"
    at = next(index for index, (one, other) in enumerate(zip(got, meant, strict=True)) if one != other)
    one, other = got[at], meant[at]
    place = next((index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, place - 30) : place + 40]!r} for {other[max(0, place - 30) : place + 40]!r}"
