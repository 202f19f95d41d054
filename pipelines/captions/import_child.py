"""Run by `import_process.py`: read a stranger's subtitle file and write its captions as JSON on standard output.

    python -m pipelines.captions.import_child PATH LANGUAGE

It is a separate process because a file that is slow to read would hold Python's lock and stall every request.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipelines.captions.cues import UnreadableSubtitles
from pipelines.captions.subtitles import parse_subtitles


def main(path: str, language: str) -> None:
    try:
        imported = parse_subtitles(Path(path).read_bytes(), language or None)
    except UnreadableSubtitles as unreadable:
        json.dump({"refused": str(unreadable)}, sys.stdout)
        return
    lines = [[line.start_ms, line.end_ms, line.text] for line in imported.lines]
    json.dump({"lines": lines, "notes": imported.notes}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
