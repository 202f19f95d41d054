"""Read Scenarist closed captions (SCC): the byte pairs of CEA-608 line 21, with a time before each run of pairs.

Pop-on, roll-up and paint-on captions of the channel with most letters are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cluster.wording.message import Message
from pipelines.captions.forms.form import RollUp, Source
from pipelines.captions.forms.scenarist.decoder import Decoder
from pipelines.captions.forms.tape_time import from_full_hour
from pipelines.captions.reading.cues import UnreadableSubtitles, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.text import LINE_ENDS
from pipelines.messages.lines import CaptionLine

_HEAD = re.compile(r"\s*Scenarist_SCC\s+V\d", re.IGNORECASE)
_TIMED = r"\d{1,3}:\d{1,2}:\d{1,2}[:;.,]\d{1,3}[ \t]+[0-9a-f]{4}(?:\s|$)"
BEGINS = re.compile(rf"{_HEAD.pattern}|\s*(?:[^\n]{{0,80}}\n\s*)?{_TIMED}", re.IGNORECASE | re.ASCII)
"""How a file of this form begins; without its first row, or with a damaged one, by its first bytes."""

_ROW = re.compile(r"\s*(\d{1,3}):(\d{1,2}):(\d{1,2})([:;.,])(\d{1,3})\s+(.*)", re.ASCII)
_PAIRS = re.compile(r"(?:[0-9a-fA-F]{4})+")
_RATE = 30_000 / 1_001
"""Frames per second of NTSC."""

Time = tuple[int, int, int, str, int]
"""Hours, minutes, seconds, the sign before the frames, frames."""
Row = tuple[Time, list[tuple[int, int]]]
"""A time, and the byte pairs after it."""


def read_scc(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The captions of a file, with italics, underlining and place.

    Each pair of bytes takes one frame. Times are those of NTSC (29.97 frames a second, drop frame after `;`) unless the
    person chose another frame rate, counted from the full hour at which the tape starts. Raises `UnreadableSubtitles`
    for a file without times.
    """
    rate = source.reading.fps or _RATE
    rows = _timed_rows(source.text, report)
    if not rows:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.scc.no_times",
                "No caption times were found in this SCC file. It needs rows like 00:00:01:00 9420 94ae.",
            )
        )
    decoder = Decoder(_main_channel(rows), source.reading.roll_up)
    last_ms = 0
    for time, pairs in rows:
        frame = _frame(time, rate)
        for index, (first, second) in enumerate(pairs):
            last_ms = round((frame + index) * 1000 / rate)
            decoder.take(first & 0x7F, second & 0x7F, last_ms)
    decoder.finish(last_ms)
    report.formatted += decoder.has_colours
    _report_losses(decoder, rows, source.reading.roll_up, report)
    hour_ms = _frame((1, 0, 0, rows[0][0][3], 0), rate) * 1000 / rate
    return lines_of_cues(from_full_hour(decoder.cues, report, hour_ms=hour_ms), report)


def _timed_rows(text: str, report: ImportReport) -> list[Row]:
    """The rows of bytes, with their times. Other rows, and what is not two bytes in hexadecimal, are reported."""
    rows: list[Row] = []
    has_head = False
    for number, row in enumerate(LINE_ENDS.split(text), 1):
        found = _ROW.fullmatch(row)
        if found is None:
            has_head = has_head or _HEAD.match(row) is not None
            if row.strip() and not _HEAD.match(row):
                report.unread_rows.append((number, row))
            continue
        tokens = found[6].split()
        strange = [token for token in tokens if not _PAIRS.fullmatch(token)]
        if strange:
            report.unread_rows.append((number, " ".join(strange)))
        codes = bytes.fromhex("".join(token for token in tokens if _PAIRS.fullmatch(token)))
        time = (int(found[1]), int(found[2]), int(found[3]), found[4], int(found[5]))
        rows.append((time, list(zip(codes[::2], codes[1::2], strict=True))))
    report.has_no_scc_head = not has_head
    return rows


def _main_channel(rows: Sequence[Row]) -> int:
    """The channel with most letters: 0 or 8, the bit that its codes have."""
    letters = {0: 0, 8: 0}
    channel = 0
    for _, pairs in rows:
        for first, second in pairs:
            if 0x10 <= first & 0x7F <= 0x1F:
                channel = first & 0x08
            else:
                letters[channel] += sum(code & 0x7F > 0x20 for code in (first, second))
    return 8 if letters[8] > letters[0] else 0


def _report_losses(decoder: Decoder, rows: Sequence[Row], roll_up: RollUp, report: ImportReport) -> None:
    codes = [code for _, pairs in rows for pair in pairs for code in pair]
    damaged = sum(code.bit_count() % 2 == 0 for code in codes)
    # Some programs write no check bits at all: half of their bytes would be wrong.
    if damaged and 3 * damaged < len(codes):
        report.wrong_check_bits += damaged
    report.never_shown.extend(decoder.never_shown)
    report.overwritten += decoder.overwritten
    report.other_channels += decoder.elsewhere
    report.rolled_rows += decoder.rolls
    report.keeps_screen = roll_up is RollUp.SCREEN


def _frame(time: Time, rate: float) -> int:
    base = max(1, round(rate))
    hours, minutes, seconds, separator, frames = time
    minutes += hours * 60
    frame = (minutes * 60 + seconds) * base + frames
    # Drop frame leaves out two numbers in each minute but every tenth.
    return frame - 2 * (minutes - minutes // 10) if separator != ":" and base == 30 else frame
