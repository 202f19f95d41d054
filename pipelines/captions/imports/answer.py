"""What a process answers that reads an untrusted file: a line that says what it found, and the import as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TextIO

from cluster.stored_sentences import sentence_as_json, sentence_of_json
from pipelines.captions.imports.imported_json import imported_from_json, imported_to_json
from pipelines.captions.imports.subtitles import Imported
from pipelines.captions.reading.cues import NoCaptionTimes, UnreadableSubtitles


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What a process read in a file. `body` is its import as JSON: decoding 20,000 lines takes 0.1 s."""

    notes: tuple[str, ...]
    speakers: dict[str, str]
    lines: int
    body: bytes

    def imported(self) -> Imported:
        return imported_from_json(json.loads(self.body))


def write_import(imported: Imported, out: TextIO) -> None:
    head = {
        "notes": [sentence_as_json(note) for note in imported.notes],
        "speakers": imported.speakers,
        "lines": len(imported.lines),
    }
    out.write(json.dumps(head) + "\n")
    json.dump(imported_to_json(imported), out)


def write_refusal(unreadable: UnreadableSubtitles, out: TextIO) -> None:
    has_no_times = isinstance(unreadable, NoCaptionTimes)
    json.dump({"refused": sentence_as_json(str(unreadable)), "has_no_times": has_no_times}, out)


def read_answer(answer: bytes) -> ReadFile:
    """Raises `UnreadableSubtitles` for a refusal."""
    head, _, body = answer.partition(b"\n")
    found = json.loads(head)
    if "refused" in found:
        kind = NoCaptionTimes if found["has_no_times"] else UnreadableSubtitles
        raise kind(sentence_of_json(found["refused"]))
    return ReadFile(tuple(map(sentence_of_json, found["notes"])), found["speakers"], found["lines"], body)
