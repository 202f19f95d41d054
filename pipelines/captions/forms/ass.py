"""Advanced SubStation Alpha (ASS) and its predecessor SSA: as files to exchange, and from other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cluster.wording.message import Message, Wording
from pipelines.captions.forms.form import Document, Source
from pipelines.captions.picture.ass_text import COMMA, MADE_BY, NEXT_WORD, ROW_END
from pipelines.captions.reading.cues import StyledCue, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import JOINER, numpad, read_markup
from pipelines.captions.texts.speaker_names import SpeakerStyle, shown_name, with_speakers
from pipelines.captions.texts.styled_text import Run
from pipelines.captions.texts.text import LINE_ENDS
from pipelines.captions.timestamps import LIKE_A_TIME
from pipelines.messages.lines import CaptionLine, LinePlace

_SECTION = re.compile(r"\s*\[([^\]]{1,40})\]\s*")
_TIME = re.compile(r"\s*(\d{1,3}):(\d{1,2}):(\d{1,2})[.:,](\d{1,3})\s*", re.ASCII)
_EVENT_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_EVENT_KEYS = ("format", "dialogue", "comment", "picture", "sound", "movie", "command")
_STYLE_FIELDS = ("name", "fontname", "fontsize", "primarycolour")
# A drawing is not text: `{\p1}m 0 0 l 10 10{\p0}`.
_DRAWING = re.compile(r"\{[^{}]{0,300}\\p[1-9][^{}]{0,300}\}")
_CODE = re.compile(r"\{([^{}]{0,300})\}")

BEGINS = re.compile(r"\s*(?:;[^\n]{0,300}\n\s*){0,20}\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE)
"""How a file of this form begins."""


# ---- writing


def write_ass_file(document: Document) -> bytes:
    """The script that an export burns in, in UTF-8, with speakers as actors for `LABELS`."""
    from pipelines.captions.picture.ass_document import write_ass
    from pipelines.messages.caption_style import DEFAULT_STYLE

    has_actors = document.speakers is SpeakerStyle.LABELS
    lines = document.lines if has_actors else with_speakers(document.lines, document.names, document.speakers)
    labels = {line.speaker for line in lines if line.speaker}
    actors = {label: shown_name(label, document.names.get(label)) if has_actors else "" for label in labels}
    style = document.style or DEFAULT_STYLE
    # Editors of captions want emoji as text.
    script = write_ass(lines, style, *document.picture, speakers=actors, title=document.title, emoji_bytes=0)
    return ("\ufeff" + script).encode()


_FONTS = Wording(
    "captions.ass.fonts",
    "It names the font {fonts}. Where they are not installed, players draw other letters.",
    "It names the fonts {fonts}. Where they are not installed, players draw other letters.",
)


def ass_losses(document: Document) -> list[str]:
    """Which fonts the script needs, and what its style changes in the text."""
    from pipelines.captions.fonts.font_files import family_of
    from pipelines.messages.caption_style import DEFAULT_STYLE

    style = document.style or DEFAULT_STYLE
    letters = {letter for line in document.lines for letter in line.text if not letter.isspace()}
    families = sorted({family for letter in letters if (family := family_of(letter, style.font))} | {style.font})
    named = " and ".join(filter(None, (", ".join(families[:-1]), families[-1])))
    sentences: list[str] = [_FONTS(count=len(families), fonts=named)]
    if style.uppercase:
        sentences.append(
            Message(
                "pipelines.captions.ass.capitals",
                "The style writes capitals, and so does the file: imported again, the captions are capitals.",
            )
        )
    return sentences


# ---- reading


@dataclass(slots=True)
class _Style:
    """What a style of the script gives every event that uses it."""

    tags: str = ""
    place: LinePlace | None = None


def read_ass(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The dialogue of a script, with italics, bold, underlining, place and actors. Comments and drawings are left out.

    A row of events that looks like none is named in `report`.
    """
    script = _Script()
    cues: list[StyledCue] = []
    for row in LINE_ENDS.split(source.text):
        cue = script.take(row, report)
        if cue is not None and script.is_next_word and cues:
            cues[-1] = replace(cues[-1], end_ms=cue.end_ms)
        elif cue is not None:
            cues.append(cue)
    return lines_of_cues(cues, report)


class _Script:
    """Takes the rows of a script one by one."""

    def __init__(self) -> None:
        self._section = ""
        self._fields: tuple[str, ...] = _EVENT_FIELDS
        self._style_fields: tuple[str, ...] = _STYLE_FIELDS
        self._styles: dict[str, _Style] = {}
        self._size = [384.0, 288.0]
        self._is_ours = False
        self.is_next_word = False
        """The last event shows the caption before it again."""
        self.events = 0

    def take(self, row: str, report: ImportReport) -> StyledCue | None:
        """The cue of a row of dialogue; None for other rows."""
        section = _SECTION.fullmatch(row)
        if section is not None:
            self._section = section[1].strip().lower()
            return None
        key, separator, value = row.partition(":")
        key = key.strip().lower()
        if "event" in self._section and key not in _EVENT_KEYS and LIKE_A_TIME.search(row):
            report.bad_rows.append((self.events + 1, row))
        if not separator:
            return None
        if key in ("playresx", "playresy"):
            self._set_size(key, value)
        elif key == "original script":
            self._is_ours = value.strip() == MADE_BY
        elif key == "format":
            names = tuple(name.strip().lower() for name in value.split(","))
            if "style" in self._section:
                self._style_fields = names
            elif "text" in names:
                self._fields = names
        elif key == "style" and not self._is_ours:
            # The style of our own files is the file's, not that of its words.
            self._add_style(value)
        elif key == "dialogue":
            self.events += 1
            return self._cue(value, report)
        elif key == "comment":
            self.events += 1
        return None

    def _set_size(self, key: str, value: str) -> None:
        if re.fullmatch(r"\s*\d{1,5}\s*", value, re.ASCII) and int(value):
            self._size[key == "playresy"] = float(value)

    def _add_style(self, value: str) -> None:
        fields = dict(zip(self._style_fields, (field.strip() for field in value.split(",")), strict=False))
        marks = {"b": fields.get("bold", "0"), "i": fields.get("italic", "0"), "u": fields.get("underline", "0")}
        style = _Style("".join(f"\\{tag}1" for tag, mark in marks.items() if mark not in ("0", "")))
        align = fields.get("alignment", "2")
        if re.fullmatch(r"\d{1,2}", align, re.ASCII):
            number = numpad(int(align)) if self._section == "v4 styles" else int(align)
            style.place = LinePlace(number) if number != 2 and 1 <= number <= 9 else None
        self._styles[fields.get("name", "").lstrip("*")] = style

    def _cue(self, value: str, report: ImportReport) -> StyledCue | None:
        parts = value.split(",", len(self._fields) - 1)
        fields = dict(zip(self._fields, parts, strict=False))
        start, end = _moment(fields.get("start", "")), _moment(fields.get("end", ""))
        text = fields.get("text", parts[-1])
        if start is None:
            report.bad_rows.append((self.events, value))
            start, end = 0, 0
        style = self._styles.get(fields.get("style", "").strip().lstrip("*"), _Style())
        if _DRAWING.search(text):
            return None
        self.is_next_word = self._is_ours and fields.get("effect") == NEXT_WORD
        prefix = f"{{{style.tags}}}" if style.tags else ""
        if self._is_ours:
            text = text.replace(ROW_END, "")
        read = read_markup(prefix + "".join(_readable(text)), width=self._size[0], height=self._size[1])
        report.formatted += read.has_more and not self._is_ours
        runs = [Run(_literal(run.text), run.styles) for run in read.runs]
        name = fields.get("name", fields.get("actor", "")).strip()
        if self._is_ours:
            name = name.replace(COMMA, ",")
        return StyledCue(start, end, runs, read.place or style.place, name or None)


# Stand for an escaped brace and for `<` while codes are read: the script's own text never holds them.
_OPEN, _CLOSE, _LESS = "\ue0f0", "\ue0f1", "\ue0f2"


def _readable(text: str) -> Iterator[str]:
    """The text with codes as `read_markup` knows them: comments in braces removed, HTML tags as text."""
    text = text.replace("\\{", _OPEN).replace("\\}", _CLOSE).replace("<", _LESS)
    text = text.replace("\\N", "\n").replace("\\n", "\n").replace("\\h", "\u00a0").replace("\\" + JOINER, "\\")
    end = 0
    for found in _CODE.finditer(text):
        yield text[end : found.start()]
        end = found.end()
        code = found[1].partition("\\")
        if code[1]:
            # `{comment\i1}` is allowed; `\r` ends what the event set.
            yield "{\\" + code[2] + "}"
    yield text[end:]


def _literal(text: str) -> str:
    return text.replace(_OPEN, "{").replace(_CLOSE, "}").replace(_LESS, "<")


def _moment(text: str) -> int | None:
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    fraction = int(found[4][:3].ljust(3, "0"))
    return ((int(found[1]) * 60 + int(found[2])) * 60 + int(found[3])) * 1000 + fraction
