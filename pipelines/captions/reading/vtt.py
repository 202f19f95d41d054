"""Read and write WebVTT."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from cluster.wording.message import Message
from pipelines.captions.reading.cues import Cue, StyledCue, UnreadableSubtitles, lines_of_cues, with_words
from pipelines.captions.reading.encodings import decode
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import JOINER
from pipelines.captions.reading.vtt_cue_text import read_cue_text
from pipelines.captions.reading.vtt_settings import place_of_settings, settings_of_place
from pipelines.captions.texts.styled_text import Run, runs_of, tagged
from pipelines.captions.texts.text import LINE_ENDS, clean_text
from pipelines.captions.timestamps import CLOCK, LIKE_A_TIME, clock_ms, format_time
from pipelines.messages.lines import CaptionLine

_TIMING = re.compile(rf"\s*(-?){CLOCK}\s*-->\s*(-?){CLOCK}(?![\d:])(.*)", re.ASCII)
_START_ONLY = re.compile(rf"\s*(-?){CLOCK}\s*-->.*", re.ASCII)
_START = re.compile(rf"\s*(-?){CLOCK}", re.ASCII)
_BROKEN = re.compile(r"\s*(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{3}[^\w]{1,6}\d{1,3}:\d{1,2}\D.*", re.ASCII)
"""Two times, the first to the millisecond, without a whole arrow between them."""
_NO_CAPTION = re.compile(r"(?:(?i:webvtt)|NOTE|STYLE|REGION)(?:[ \t].*)?|::cue.*")
_NUMBER = re.compile(r"\s*\d{1,9}\s*", re.ASCII)


def parse_vtt(source: str | bytes) -> list[CaptionLine]:
    """The cues of a WebVTT file with their words, in time order, without overlap, as `read_vtt` reads them."""
    text = source if isinstance(source, str) else decode(source)
    return [with_words(line) for line in read_vtt(text.removeprefix("\ufeff"), ImportReport())]


def read_vtt(text: str, report: ImportReport) -> list[CaptionLine]:
    """The cues of a WebVTT file, with italics, bold, underlining, place and voices. Notes and regions are left out.

    Each voice is a speaker, and begins a row. Text outside a cue joins the cue before it; a cue without a readable
    start does so too. `report` names such cues, and blocks before the first cue, which are no captions. Raises
    `UnreadableSubtitles` without any cue.
    """
    reader = _Reader(report)
    for row_number, row in enumerate(LINE_ENDS.split(text), 1):
        reader.take(row_number, row)
    reader.end_block()
    preamble = clean_text("".join(run.text for run in read_cue_text("\n".join(reader.preamble)).runs))
    if not reader.cues:
        if preamble or reader.left_out:
            raise UnreadableSubtitles(
                Message(
                    "pipelines.captions.vtt.no_cues",
                    "No cues were found in this WebVTT file. It needs rows like 00:01.000 --> 00:04.000.",
                )
            )
        return []
    if preamble:
        reader.cues.insert(0, Cue(0, max(0, min(cue.start_ms for cue in reader.cues)), [html.escape(preamble)]))
        reader.settings.insert(0, "")
    cues = []
    for cue, settings in zip(reader.cues, reader.settings, strict=True):
        read = read_cue_text("\n".join(cue.rows))
        report.formatted += read.has_more
        cues.append(StyledCue(cue.start_ms, cue.end_ms, read.runs, read.place or place_of_settings(settings)))
    return lines_of_cues(cues, report)


@dataclass(slots=True)
class _Reader:
    """Takes the rows one by one. A block ends at a blank row. A row of times begins a cue wherever it is."""

    report: ImportReport
    cues: list[Cue] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)
    """What follows the times of each cue."""
    preamble: list[str] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    """Rows since the last blank row that no time has followed yet."""
    in_cue: bool = False
    skipping: bool = False
    block_row: int = 0
    """The number of the first row of `block`."""
    after_style: bool = False
    """No cue has begun since the last style block."""
    is_broken: bool = False
    """There was a row of times that cannot be read. Text before the first cue may belong to it."""
    left_out: int = 0
    """Blocks that are no caption."""
    braces: int = 0
    """Open braces of a style block. Blank rows inside them do not end it."""

    def take(self, row_number: int, row: str) -> None:
        if ("-->" in row and LIKE_A_TIME.search(row)) or (not self.in_cue and _BROKEN.fullmatch(row)):
            self._begin_cue(row_number, row)
        elif not row.strip():
            self.end_block()
        elif self.skipping:
            self.braces += row.count("{") - row.count("}")
        elif self.in_cue:
            self.cues[-1].rows.append(row)
        elif not self.block and _NO_CAPTION.fullmatch(row):
            self.skipping = True
            self.after_style = not row.startswith(("NOTE", "REGION"))
            self.braces = 0 if row.startswith("NOTE") else row.count("{") - row.count("}")
        else:
            self.block.append(row)
            self.block_row = self.block_row if len(self.block) > 1 else row_number

    def end_block(self) -> None:
        """Treat rows that no time followed as text that a blank row separated from its cue."""
        if self.block and ((not self.cues and not self.is_broken) or (self.after_style and _is_style(self.block))):
            self.report.unread_rows.extend(enumerate(self.block, self.block_row))
            self.left_out += bool(self.block)
        else:
            (self.cues[-1].rows if self.cues else self.preamble).extend(self.block)
        self.block.clear()
        self.in_cue = False
        if self.braces <= 0:
            self.skipping = False

    def _begin_cue(self, row_number: int, row: str) -> None:
        self._leave_identifier()
        self.braces = 0
        self.end_block()
        timing = _TIMING.fullmatch(row)
        start = timing or _START_ONLY.fullmatch(row) or (_START.match(row) if _BROKEN.fullmatch(row) else None)
        self.after_style = False
        if timing is None:
            self.report.bad_rows.append((row_number, row))
            self.is_broken = True
        if start is None:
            # The text has no time, so it stays with the cue before it.
            self.in_cue = bool(self.cues)
            return
        self.cues.append(Cue(_moment(start, 1), _moment(timing, 6) if timing else None))
        self.settings.append(timing[11] if timing else "")
        self.in_cue = True

    def _leave_identifier(self) -> None:
        """Drop the row above a time that names its cue: any row alone in its block, else only a number."""
        if self.skipping:
            return
        if self.in_cue:
            rows = self.cues[-1].rows
            if rows and _NUMBER.fullmatch(rows[-1]) and int(rows[-1]) == len(self.cues) + 1:
                rows.pop()
        elif self.block and (len(self.block) == 1 or _NUMBER.fullmatch(self.block[-1])):
            self.block.pop()


def _is_style(block: Sequence[str]) -> bool:
    return any("{" in row or "}" in row for row in block)


def _moment(timing: re.Match[str], first: int) -> int:
    sign, hours, minutes, seconds, fraction = (timing[first + part] for part in range(5))
    moment = clock_ms(hours, minutes, seconds, fraction)
    return -moment if sign else moment


def format_vtt(
    lines: Sequence[CaptionLine], language: str | None = None, *, voices: Mapping[str, str] | None = None
) -> str:
    """WebVTT text. Escape `&`, `<` and `>`, so that no text becomes a tag or a time.

    With `voices`, the names of speakers by label, each line says whose voice it is, and whose its words are.
    """
    head = f"WEBVTT\nLanguage: {language}\n" if language else "WEBVTT\n"
    cues = [head]
    for line in lines:
        text = clean_text(line.text)
        if text != line.text:
            # A blank row would end the cue. Stored text has none, and words that fit it alone.
            line = replace(line, text=text, words=())
        if text:
            times = f"{format_time(line.start_ms, '.')} --> {format_time(line.end_ms, '.')}"
            cues.append(f"{times}{settings_of_place(line.place)}\n{_cue_text(line, voices or {})}\n")
    return "\n".join(cues)


def _cue_text(line: CaptionLine, voices: Mapping[str, str]) -> str:
    parts = [
        (voices.get(speaker or ""), "".join(tagged(run, _escaped) for run in runs))
        for speaker, runs in groupby(runs_of(line), key=lambda run: _speaker_of(run, line))
    ]
    if len(parts) == 1:
        return "".join(_voice(name) + text for name, text in parts)
    # Only white space stands between two voices, and a reader starts a row at each.
    return "".join(f"{_voice(name)}{text.strip()}</v>" if name else text for name, text in parts)


def _speaker_of(run: Run, line: CaptionLine) -> str | None:
    return run.speaker or line.speaker


def _voice(name: str | None) -> str:
    return f"<v {clean_text(html.escape(name, quote=False))}>" if name else ""


def _escaped(text: str) -> str:
    return html.escape(text, quote=False).replace("{\\", "{" + JOINER + "\\")
