"""Transcripts and, where there are some, texts that people wrote about them.

| file | what it is |
|---|---|
| `meeting.srt`, `meeting.vtt` | a transcript with times |
| `meeting.txt` | a transcript, a line each; `Anna: Good morning.` names who speaks |
| `meeting.minutes.txt`, `meeting.short.md` … | a reference: minutes, short, long or blog |

Subfolders name the language and the condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure.datasets.folder import BadDataset, is_language
from benchmarks.measure.datasets.references import BadReference, read_lines
from pipelines.captions.reading.encodings import decode
from pipelines.messages.minutes import TextLine, TextType
from serve.core.text.language_codes import canonical

EXPECTED = (
    "Expected are transcripts (meeting.srt, meeting.vtt or meeting.txt) and, where wanted, texts about them "
    "(meeting.minutes.txt, meeting.short.txt, meeting.long.txt, meeting.blog.txt)."
)
TRANSCRIPTS = (".srt", ".vtt", ".txt")
REFERENCES = (".txt", ".md")
EVERY_MS = 5_000
"""Given to each line of a transcript without times."""
_SPEAKER = re.compile(r"([^\W\d_][^:\n]{0,40}):\s+(?=\S)")
_TYPES = frozenset(TextType)


@dataclass(frozen=True, slots=True)
class Transcript:
    """`references` are texts by their type."""

    name: str
    language: str
    condition: str
    lines: tuple[TextLine, ...]
    references: dict[TextType, str]


@dataclass(frozen=True, slots=True)
class Transcripts:
    """`notes` are sentences on what is missing or doubtful."""

    items: tuple[Transcript, ...]
    notes: tuple[str, ...]


def read_transcripts(folder: Path, language: str) -> Transcripts:
    """`language` is that of transcripts whose folder names none. Raises BadDataset."""
    if not folder.is_dir():
        raise BadDataset(f"There is no folder {folder}. {EXPECTED}")
    notes: list[str] = []
    items: list[Transcript] = []
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in relative.parts)
        if not path.is_file() or hidden or path.suffix.lower() not in TRANSCRIPTS or _type_of(path) is not None:
            continue
        try:
            lines = tuple(_lines(path))
        except (BadReference, OSError) as problem:
            notes.append(f"{relative} was left out: {problem}")
            continue
        if not lines:
            notes.append(f"{relative} was left out: it is empty.")
            continue
        folders = relative.parts[:-1]
        languages = [part for part in folders if is_language(part)]
        spoken = canonical(languages[-1]) if languages else language
        if not spoken:
            notes.append(f"{relative} was left out: name its language with --language or a folder.")
            continue
        condition = "/".join(part for part in folders if not is_language(part))
        references = dict(_references(path))
        items.append(Transcript(str(relative), spoken, condition, lines, references))
    if not items:
        raise BadDataset(" ".join([f"Nothing in {folder} can be measured.", *notes, EXPECTED]))
    if not any(item.references for item in items):
        notes.append("There are no texts to compare with, so only what the transcripts support is measured.")
    return Transcripts(tuple(items), tuple(notes))


def _type_of(path: Path) -> TextType | None:
    """The type of a reference; None for a transcript."""
    name = path.stem.rpartition(".")[2]
    return TextType(name) if "." in path.stem and name in _TYPES else None


def _references(transcript: Path) -> Iterator[tuple[TextType, str]]:
    for path in sorted(transcript.parent.glob(f"{transcript.stem}.*")):
        type = _type_of(path)
        if type is not None and path.suffix.lower() in REFERENCES and path.stem == f"{transcript.stem}.{type}":
            yield type, decode(path.read_bytes()).removeprefix("\ufeff").strip()


def _lines(path: Path) -> Iterator[TextLine]:
    if path.suffix.lower() != ".txt":
        for number, line in enumerate(read_lines(path)):
            yield TextLine(id=f"line-{number}", start_ms=line.start_ms, end_ms=line.end_ms, text=line.text)
        return
    rows = (" ".join(row.split()) for row in decode(path.read_bytes()).removeprefix("\ufeff").splitlines())
    for number, row in enumerate(filter(None, rows)):
        named = _SPEAKER.match(row)
        yield TextLine(
            id=f"line-{number}",
            start_ms=number * EVERY_MS,
            end_ms=(number + 1) * EVERY_MS,
            text=row[named.end() :] if named else row,
            speaker=named[1] if named else None,
        )
