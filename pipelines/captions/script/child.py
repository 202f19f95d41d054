"""Run by `process.py`: place the words of a stranger's text, and write the captions as an import.

    python -m pipelines.captions.script.child PATH HEARD LANGUAGE

It is a separate process for the same reason as that of imports. `HEARD` is a file of JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipelines.captions.forms.form import Kept
from pipelines.captions.imports.answer import write_import, write_refusal
from pipelines.captions.imports.subtitles import Imported
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.encodings import decode
from pipelines.captions.reading.fit import fit
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.script.placed_script import place
from pipelines.captions.script.script import Script
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.lines import CaptionWord


def main(path: str, heard_path: str, language: str) -> None:
    known = json.loads(Path(heard_path).read_bytes())
    heard = [
        CaptionWord(start, end, text, confidence=confidence, speaker=speaker)
        for start, end, text, confidence, speaker in known["words"]
    ]
    try:
        placed = place(Script.of_text(decode(Path(path).read_bytes(), language)), heard)
        lines = fit(placed.script.lines(placed.words, rules_for(language), language), ImportReport())
    except UnreadableSubtitles as unreadable:
        write_refusal(unreadable, sys.stdout)
        return
    kept = frozenset({Kept.WORDS, Kept.SPEAKERS} if known["speakers"] else {Kept.WORDS})
    write_import(Imported(tuple(lines), placed.notes, known["speakers"], keeps=kept), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
