"""Read and write WebVTT."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipelines.captions.cues import Cue, UnreadableSubtitles, lines_of_cues, with_words
from pipelines.captions.encodings import decode
from pipelines.captions.import_report import ImportReport
from pipelines.captions.lines import CaptionLine
from pipelines.captions.markup import unescape, without_formatting
from pipelines.captions.text import LINE_ENDS, clean_text
from pipelines.captions.timestamps import CLOCK, LIKE_A_TIME, clock_ms, format_time

_TIMING = re.compile(rf"\s*(-?){CLOCK}\s*-->\s*(-?){CLOCK}(?![\d:]).*", re.ASCII)
_START_ONLY = re.compile(rf"\s*(-?){CLOCK}\s*-->.*", re.ASCII)
_TAG = re.compile(r"</?(?:[cibuv]|ruby|rt|lang)(?:[.\s][^<>]*)?>|<\d[\d:.]*>", re.ASCII)
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?(?:[ \t]([^<>]*))?>")
_NO_CAPTION = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t].*)?|::cue.*")
_NUMBER = re.compile(r"\s*\d{1,9}\s*", re.ASCII)


def parse_vtt(source: str | bytes) -> list[CaptionLine]:
    """The cues of a WebVTT file with their words, in time order, without overlap, as `read_vtt` reads them."""
    text = source if isinstance(source, str) else decode(source)
    return [with_words(line) for line in read_vtt(text.removeprefix("\ufeff"), ImportReport())]


def read_vtt(text: str, report: ImportReport) -> list[CaptionLine]:
    """The cues of a WebVTT file as lines without words. Notes, styles, regions and tags are left out.

    A voice becomes `Name: ` before its words where the speaker changes. Text outside a cue joins the cue before it; a
    cue without a readable start does so too and is named in `report`. Raises `UnreadableSubtitles` without any cue.
    """
    reader = _Reader(report)
    for row_number, row in enumerate(LINE_ENDS.split(text), 1):
        reader.take(row_number, row)
    reader.end_block()
    preamble = clean_text(_plain("\n".join(reader.preamble)))
    if not reader.cues:
        if preamble:
            raise UnreadableSubtitles(
                "No cues were found in this WebVTT file. It needs rows like 00:01.000 --> 00:04.000."
            )
        return []
    if preamble:
        reader.cues.insert(0, Cue(0, max(0, min(cue.start_ms for cue in reader.cues)), [html.escape(preamble)]))
    speaker: str | None = None
    cues = []
    for cue in reader.cues:
        body = "\n".join(cue.rows)
        spoken, speaker = _with_speakers(body, speaker, report)
        plain = _plain(spoken)
        report.formatted += plain != unescape(spoken.replace("</v>", ""))
        cues.append((cue.start_ms, cue.end_ms, clean_text(plain)))
    return lines_of_cues(cues, report)


@dataclass(slots=True)
class _Reader:
    """Takes the rows one by one. A block ends at a blank row. A row of times begins a cue wherever it is."""

    report: ImportReport
    cues: list[Cue] = field(default_factory=list)
    preamble: list[str] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    """Rows since the last blank row that no time has followed yet."""
    in_cue: bool = False
    skipping: bool = False
    braces: int = 0
    """Open braces of a style block. Blank rows inside them do not end it."""

    def take(self, row_number: int, row: str) -> None:
        if "-->" in row and LIKE_A_TIME.search(row):
            self._begin_cue(row_number, row)
        elif not row.strip():
            self.end_block()
        elif self.skipping:
            self.braces += row.count("{") - row.count("}")
        elif self.in_cue:
            self.cues[-1].rows.append(row)
        elif not self.block and _NO_CAPTION.fullmatch(row):
            self.skipping = True
            self.braces = 0 if row.startswith("NOTE") else row.count("{") - row.count("}")
        else:
            self.block.append(row)

    def end_block(self) -> None:
        """Treat rows that no time followed as text that a blank row separated from its cue."""
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
        start = timing or _START_ONLY.fullmatch(row)
        if timing is None:
            self.report.bad_rows.append((row_number, row))
        if start is None:
            # The text has no time, so it stays with the cue before it.
            self.in_cue = bool(self.cues)
            return
        self.cues.append(Cue(_moment(start, 1), _moment(timing, 6) if timing else None))
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


def _moment(timing: re.Match[str], first: int) -> int:
    sign, hours, minutes, seconds, fraction = (timing[first + part] for part in range(5))
    moment = clock_ms(hours, minutes, seconds, fraction)
    return -moment if sign else moment


def _with_speakers(body: str, last: str | None, report: ImportReport) -> tuple[str, str | None]:
    """The cue's text with a voice tag as `Name: ` where the speaker changes, and the speaker it ends with."""
    parts = _VOICE.split(body)
    if len(parts) == 1:
        return body, None
    texts = [parts[0].strip()]
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        named = clean_text(name or "").replace("\n", " ")
        is_new = bool(named) and named != last
        report.voices += is_new
        texts.append(f"{named}: {text.strip()}" if is_new else text.strip())
        last = named or last
    return "\n".join(text for text in texts if text), last


def _plain(body: str) -> str:
    return unescape(without_formatting(_TAG.sub("", body)))


def format_vtt(
    lines: Sequence[CaptionLine], language: str | None = None, *, voices: Mapping[str, str] | None = None
) -> str:
    """WebVTT text. Escape `&`, `<` and `>`, so that no text becomes a tag or a time.

    With `voices`, the names of speakers by label, each line says whose voice it is.
    """
    head = f"WEBVTT\nLanguage: {language}\n" if language else "WEBVTT\n"
    cues = [head]
    for line in lines:
        text = clean_text(line.text)
        if text:
            times = f"{format_time(line.start_ms, '.')} --> {format_time(line.end_ms, '.')}"
            name = (voices or {}).get(line.speaker or "")
            voice = f"<v {clean_text(html.escape(name, quote=False))}>" if name else ""
            cues.append(f"{times}\n{voice}{html.escape(text, quote=False)}\n")
    return "\n".join(cues)
