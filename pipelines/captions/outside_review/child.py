"""Run by `process.py`: read a stranger's file, compare it with the lines, and write the proposals as JSON.

    python -m pipelines.captions.outside_review.child PATH LINES LANGUAGE

A file that is slow to read or to compare would hold Python's lock and stall every request. `LINES` is a file of JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cluster.stored_sentences import sentence_as_json
from pipelines.captions.outside_review.compare import Line, compare
from pipelines.captions.outside_review.rows import read_rows
from pipelines.captions.reading.cues import UnreadableSubtitles


def main(path: str, lines_path: str, language: str) -> None:
    lines = [Line(*line) for line in json.loads(Path(lines_path).read_bytes())]
    try:
        found = compare(lines, read_rows(Path(path).read_bytes(), language or None))
    except UnreadableSubtitles as unreadable:
        json.dump({"refused": sentence_as_json(str(unreadable))}, sys.stdout)
        return
    proposals = [[proposal.line, proposal.text] for proposal in found.proposals]
    json.dump({"proposals": proposals, "unplaced": found.unplaced}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
