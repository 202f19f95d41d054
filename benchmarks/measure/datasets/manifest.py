"""Tables of audio and references. Commas, semicolons or tabs part the columns, which have the corpora's usual names."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure.datasets.references import BadReference
from pipelines.captions.reading.encodings import decode

COLUMNS = {
    "audio": ("audio", "audio_filepath", "path", "file", "filename", "file_name", "wav"),
    "text": ("text", "sentence", "transcript", "transcription", "reference"),
    "language": ("language", "lang", "locale"),
    "condition": ("condition", "domain", "noise"),
    "start": ("start", "start_s", "offset"),
    "end": ("end", "end_s"),
}
"""The names by which each column is known; Common Voice's and NeMo's among them."""


@dataclass(frozen=True, slots=True)
class ManifestRow:
    audio: str
    text: str
    language: str = ""
    condition: str = ""
    start_ms: int | None = None
    end_ms: int | None = None


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Names of the columns in lower case, and the rows that are not empty. Raises BadReference for an empty file."""
    text = decode(path.read_bytes()).removeprefix("\ufeff")
    head = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max("\t,;|", key=head.count)
    if not head.strip():
        raise BadReference("It is empty.")
    # Corpora with tabs between columns have quotation marks inside texts, and none around them.
    lines = text.strip("\n").splitlines(keepends=True)
    plain = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    first, *others = plain if delimiter == "\t" else csv.reader(lines, delimiter=delimiter)
    names = [name.strip().lower() for name in first]
    rows = [dict(zip(names, map(str.strip, cells), strict=False)) for cells in others]
    return names, [row for row in rows if any(row.values())]


def column(names: Sequence[str], wanted: str, known: Mapping[str, Sequence[str]]) -> str | None:
    """The name of a column in this table."""
    return next((name for name in known[wanted] if name in names), None)


def read_manifest(path: Path) -> list[ManifestRow]:
    """Raises BadReference with the row that is wrong."""
    names, table = read_table(path)
    columns = {wanted: column(names, wanted, COLUMNS) for wanted in COLUMNS}
    if columns["audio"] is None or columns["text"] is None:
        raise BadReference(f"It needs the columns audio and text; it has {', '.join(filter(None, names))}.")
    rows = []
    # The first row of the file has the names.
    for number, cells in enumerate(table, 2):
        given = {wanted: cells.get(name, "") if name else "" for wanted, name in columns.items()}
        if not given["audio"]:
            raise BadReference(f"Row {number} names no audio.")
        start, end = (_ms(given[edge], number, edge) for edge in ("start", "end"))
        if end is not None and end <= (start or 0):
            raise BadReference(f"Row {number} ends before it starts.")
        rows.append(ManifestRow(given["audio"], given["text"], given["language"], given["condition"], start, end))
    return rows


def _ms(seconds: str, row: int, name: str) -> int | None:
    if not seconds:
        return None
    try:
        value = float(seconds)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise BadReference(f"Row {row}: {name} must be seconds such as 12.5, not “{seconds}”.")
    return round(value * 1000)
