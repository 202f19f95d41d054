"""Advanced SubStation Alpha (ASS) and its predecessor SSA: as files to exchange, and from other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.captions.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.forms.form import Document, Source
from pipelines.captions.import_report import ImportReport
from pipelines.captions.lines import CaptionLine, LinePlace, WordStyle
from pipelines.captions.markup import JOINER, numpad, place_codes, read_markup
from pipelines.captions.speaker_names import SpeakerStyle, shown_name, with_speakers
from pipelines.captions.styled_text import TAG_OF, Run, runs_of
from pipelines.captions.text import LINE_ENDS, clean_text

_WIDTH, _HEIGHT = 1920, 1080
_HEAD = f"""[Script Info]
Title: {{title}}
ScriptType: v4.00+
PlayResX: {_WIDTH}
PlayResY: {_HEIGHT}
WrapStyle: 0
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,64,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,80,80,60,-1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""

_SECTION = re.compile(r"\s*\[([^\]]{1,40})\]\s*")
_TIME = re.compile(r"\s*(\d{1,3}):(\d{1,2}):(\d{1,2})[.:,](\d{1,3})\s*", re.ASCII)
_EVENT_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_STYLE_FIELDS = ("name", "fontname", "fontsize", "primarycolour")
# A drawing is not text: `{\p1}m 0 0 l 10 10{\p0}`.
_DRAWING = re.compile(r"\{[^{}]{0,300}\\p[1-9][^{}]{0,300}\}")
_CODE = re.compile(r"\{([^{}]{0,300})\}")

BEGINS = re.compile(r"\s*(?:;[^\n]{0,300}\n\s*){0,20}\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE)
"""How a file of this form begins."""


# ---- writing


def write_ass_file(document: Document) -> bytes:
    """A script in UTF-8 for a picture of 1920 by 1080, with speakers as actors for `LABELS`."""
    has_actors = document.speakers is SpeakerStyle.LABELS
    lines = document.lines if has_actors else with_speakers(document.lines, document.names, document.speakers)
    events = []
    for line in lines:
        if clean_text(line.text):
            name = _field(_name(line, document)) if has_actors else ""
            times = f"{_time(line.start_ms)},{_time(line.end_ms)}"
            place = place_codes(line.place, width=_WIDTH, height=_HEIGHT)
            events.append(f"Dialogue: 0,{times},Default,{name},0,0,0,,{place}{''.join(map(_text, runs_of(line)))}\n")
    title = _field(document.title) or "Captions"
    return ("\ufeff" + _HEAD.replace("{title}", title) + "".join(events)).encode()


def _name(line: CaptionLine, document: Document) -> str:
    return "" if line.speaker is None else document.names.get(line.speaker) or shown_name(line.speaker, None)


def _field(text: str) -> str:
    """Text without the comma that ends a field."""
    return clean_text(text).replace("\n", " ").replace(",", ";")


def _text(run: Run) -> str:
    tags = [TAG_OF[style] for style in WordStyle if style in run.styles]
    on, off = "".join(f"\\{tag}1" for tag in tags), "".join(f"\\{tag}0" for tag in tags)
    # A backslash has no escape, so nothing may follow it directly.
    safe = run.text.replace("\\", "\\" + JOINER).replace("{", "\\{").replace("}", "\\}").replace("\n", "\\N")
    return f"{{{on}}}{safe}{{{off}}}" if tags else safe


def _time(moment_ms: int) -> str:
    seconds, hundredths = divmod((moment_ms + 5) // 10, 100)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}.{hundredths:02}"


# ---- reading


@dataclass(slots=True)
class _Style:
    """What a style of the script gives every event that uses it."""

    tags: str = ""
    place: LinePlace | None = None


def read_ass(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The dialogue of a script, with italics, bold, underlining, place and actors. Comments and drawings are left out.

    Raises `UnreadableSubtitles` for a script without events.
    """
    script = _Script()
    cues = [cue for row in LINE_ENDS.split(source.text) if (cue := script.take(row, report)) is not None]
    if not cues and script.events == 0:
        raise UnreadableSubtitles("This script holds no events. It needs rows like Dialogue: 0,0:00:01.00,0:00:04.00,…")
    return lines_of_cues(cues, report)


class _Script:
    """Takes the rows of a script one by one."""

    def __init__(self) -> None:
        self._section = ""
        self._fields: tuple[str, ...] = _EVENT_FIELDS
        self._style_fields: tuple[str, ...] = _STYLE_FIELDS
        self._styles: dict[str, _Style] = {}
        self._size = [384.0, 288.0]
        self.events = 0

    def take(self, row: str, report: ImportReport) -> StyledCue | None:
        """The cue of a row of dialogue; None for other rows."""
        section = _SECTION.fullmatch(row)
        if section is not None:
            self._section = section[1].strip().lower()
            return None
        key, separator, value = row.partition(":")
        key = key.strip().lower()
        if not separator:
            return None
        if key in ("playresx", "playresy"):
            self._set_size(key, value)
        elif key == "format":
            names = tuple(name.strip().lower() for name in value.split(","))
            if "style" in self._section:
                self._style_fields = names
            elif "text" in names:
                self._fields = names
        elif key == "style":
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
        prefix = f"{{{style.tags}}}" if style.tags else ""
        read = read_markup(prefix + "".join(_readable(text)), width=self._size[0], height=self._size[1])
        report.formatted += read.has_more
        runs = [Run(_literal(run.text), run.styles) for run in read.runs]
        name = fields.get("name", fields.get("actor", "")).strip()
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
