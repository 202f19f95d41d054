"""WebVTT in and out."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from pipelines.captions.encodings import decode
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import lines_of_cues
from pipelines.captions.text import LINE_ENDS, clean_text
from pipelines.captions.times import CLOCK, clock_ms, format_time

_TIMING = re.compile(rf"\s*{CLOCK}\s*-->\s*{CLOCK}(?:\s.*)?", re.ASCII)
_TAG = re.compile(r"</?(?:[cibuv]|ruby|rt|lang)(?:[.\s][^<>]*)?>|<\d[\d:.]*>")
_NO_CAPTION = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t].*)?")


def parse_vtt(source: str | bytes) -> list[CaptionLine]:
    """The cues of a WebVTT file, in time order, without overlap; notes, styles, regions and tags are left out."""
    text = (source if isinstance(source, str) else decode(source)).removeprefix("\ufeff")
    cues: list[tuple[int, int | None, str]] = []
    for block in _blocks(LINE_ENDS.split(text)):
        found = next(((i, match) for i, row in enumerate(block[:2]) if (match := _TIMING.fullmatch(row))), None)
        if found is not None:
            place, timing = found
            start = clock_ms(timing[1], timing[2], timing[3], timing[4])
            end = clock_ms(timing[5], timing[6], timing[7], timing[8])
            body = "\n".join(block[place + 1 :])
            cues.append((start, end, clean_text(html.unescape(_TAG.sub("", body)))))
        elif cues and not _NO_CAPTION.fullmatch(block[0]):
            # A stray block is text that someone parted from its cue by a blank row.
            start, cue_end, before = cues[-1]
            cues[-1] = (start, cue_end, clean_text(before + "\n" + html.unescape(_TAG.sub("", "\n".join(block)))))
    return lines_of_cues(cues)


def _blocks(rows: Sequence[str]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for row in rows:
        if row.strip():
            blocks[-1].append(row)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def format_vtt(lines: Sequence[CaptionLine], language: str | None = None) -> str:
    """WebVTT text. `&`, `<` and `>` are escaped, so no text becomes a tag or a time."""
    head = f"WEBVTT\nLanguage: {language}\n" if language else "WEBVTT\n"
    cues = [head]
    for line in lines:
        text = clean_text(line.text)
        if text:
            times = f"{format_time(line.start_ms, '.')} --> {format_time(line.end_ms, '.')}"
            cues.append(f"{times}\n{html.escape(text, quote=False)}\n")
    return "\n".join(cues)
