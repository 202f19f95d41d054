"""Run by the campaign: read one batch of generated files in this process and print what was wrong with them as JSON.

python -m benchmarks.soak.captions.batch SEED FIRST COUNT
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Any

from benchmarks.soak.captions.generate import Made, made
from benchmarks.soak.captions.round_trip import lost_on_the_way
from pipelines.captions.forms.form import CaptionFormat, Kept
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.lanes import first_overlap
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.texts.styled_text import to_markup
from pipelines.captions.texts.text import clean_text, without_space

_STL_ROWS = 18
"""Rows of text beyond which EBU-STL has no room left to tell top, middle and bottom apart."""


def run(seed: int, first: int, count: int) -> dict[str, Any]:
    """Counts of what became of the files, the defects by file number, and the slowest file in seconds of CPU."""
    seen: Counter[str] = Counter()
    defects: dict[int, str] = {}
    slowest, slowest_number = 0.0, first
    for number in range(first, first + count):
        file = made(seed, number)
        seen[f"{file.form}, {'whole' if file.is_whole else 'broken'}"] += 1
        began = time.process_time()
        try:
            found = parse_subtitles(file.raw, file.language)
            whole_again = lost_on_the_way(found, number, file.language)
        except UnreadableSubtitles as unreadable:
            seen["refused with a sentence"] += 1
            defect = "" if str(unreadable).endswith(".") and not file.is_whole else f"refused: {unreadable}"
        except Exception as error:
            defect = f"crash: {error!r}"
        else:
            seen["read"] += 1
            seen["lines"] += len(found.lines)
            defect = _misshapen(found) or _loss(found, file) or whole_again
        took = time.process_time() - began
        if took > slowest:
            slowest, slowest_number = took, number
        if defect:
            defects[number] = f"{file.form}: {defect}"
    return {"seen": dict(seen), "defects": defects, "slowest_s": slowest, "slowest": slowest_number}


def _misshapen(found: Imported) -> str:
    for line in found.lines:
        if not 0 <= line.start_ms < line.end_ms <= TIME_MS_MAX:
            return f"times {line.start_ms} to {line.end_ms}"
        if not line.text or line.text != clean_text(line.text):
            return f"text {line.text!r}"
        if line.words and without_space("".join(word.text for word in line.words)) != without_space(line.text):
            return f"words of {line.text!r}"
    if first_overlap(found.lines) is not None:
        return "lines overlap"
    return ""


def _loss(found: Imported, file: Made) -> str:
    """What a whole file lost that its form can hold."""
    if file.said is not None and [line.text for line in found.lines] != [cue.text for cue in file.said]:
        return f"texts {[line.text for line in found.lines]!r} for {[cue.text for cue in file.said]!r}"
    if file.lines is None:
        return ""
    if [line.text for line in found.lines] != [line.text for line in file.lines]:
        return f"texts {[line.text for line in found.lines]!r} for {[line.text for line in file.lines]!r}"
    for got, meant in zip(found.lines, file.lines, strict=True):
        if Kept.STYLES in found.keeps and file.form is not CaptionFormat.STL and to_markup(got) != to_markup(meant):
            return f"styles {to_markup(got)!r} for {to_markup(meant)!r}"
        if file.form is CaptionFormat.STL and _italics(to_markup(got)) != _italics(to_markup(meant)):
            return f"italics {to_markup(got)!r} for {to_markup(meant)!r}"
        has_no_height = (meant.place is not None and meant.place.x is not None) or meant.text.count("\n") > _STL_ROWS
        if Kept.PLACE in found.keeps and got.place != meant.place and not (has_no_height and file.form == "stl"):
            return f"place {got.place} for {meant.place}"
    return ""


def _italics(markup: str) -> int:
    return markup.count("<i>")


if __name__ == "__main__":
    json.dump(run(*map(int, sys.argv[1:])), sys.stdout)
