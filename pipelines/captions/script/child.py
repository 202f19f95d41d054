"""Run by `process.py`: place the words of a stranger's text, and write the captions as an import.

    python -m pipelines.captions.script.child PATH KNOWN LANGUAGE

It is a separate process for the same reason as that of imports. `KNOWN` is a file of JSON with the captions that were
transcribed.
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
from pipelines.captions.script.placed_script import heard_in, place
from pipelines.captions.script.script import Script
from pipelines.captions.texts.stored_lines import lines_of_text
from pipelines.messages.caption_rules import rules_for


def main(path: str, known_path: str, language: str) -> None:
    known = json.loads(Path(known_path).read_bytes())
    try:
        script = Script.of_text(decode(Path(path).read_bytes(), language))
        placed = place(script, heard_in(lines_of_text(known["lines"])))
        lines = fit(script.lines(placed.words, rules_for(language), language), ImportReport())
    except UnreadableSubtitles as unreadable:
        write_refusal(unreadable, sys.stdout)
        return
    kept = frozenset({Kept.WORDS, Kept.SPEAKERS} if known["speakers"] else {Kept.WORDS})
    write_import(Imported(tuple(lines), placed.notes, known["speakers"], keeps=kept), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
