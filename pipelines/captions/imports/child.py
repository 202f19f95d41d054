"""Run by `process.py`: read a stranger's subtitle file and write its captions as JSON on standard output, below
a line that says what they are.

    python -m pipelines.captions.imports.child PATH LANGUAGE FPS ROLL_UP

It is a separate process because a file that is slow to read would hold Python's lock and stall every request. Empty
arguments stand for an unknown language and for the file's own frame rate.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pipelines.captions.forms.form import Reading, RollUp
from pipelines.captions.imports.answer import write_import, write_refusal
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles


def main(path: str, language: str, fps: str, roll_up: str) -> None:
    reading = Reading(float(fps) if fps else None, RollUp(roll_up))
    try:
        imported = parse_subtitles(Path(path).read_bytes(), language or None, reading)
    except UnreadableSubtitles as unreadable:
        write_refusal(unreadable, sys.stdout)
        return
    write_import(imported, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
