"""Glossaries as CSV: `source,target,from,to,note,case`, as spreadsheets write it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from api.content.glossary.models import GlossaryTermRow
from api.content.glossary.schemas import TermIn
from api.platform.http.errors import Invalid
from api.platform.http.fields import field_sentence
from cluster.wording.message import Message
from pipelines.captions.reading.encodings import decode
from pipelines.spreadsheet_cells import text_cell, text_of_cell

COLUMNS = ("source", "target", "from", "to", "note", "case")
ROWS_MAX = 20_000
"""Rows that are read from one file; more than any glossary holds."""

EMPTY = Message("glossary.empty", "This file holds no terms, so nothing was changed.")
UNREADABLE = Message(
    "glossary.unreadable",
    "This file cannot be read as CSV. Save it from your spreadsheet as “CSV UTF-8” and import it again.",
)
TOO_MANY = Message(
    "glossary.too_many", "This file has more than {count:,} rows. Split it and import the parts.", count=ROWS_MAX
)
NO_SOURCE = Message("glossary.no_source", "The row needs a source.")

_YES = {"1", "yes", "true", "x", "case"}
_NO = {"", "0", "no", "false"}
_BAD_CASE = Message("glossary.bad_case", "The column case must be yes or no.")


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row of the file: a term, or the sentence that says why it is none. `number` counts from 1."""

    number: int
    source: str
    term: TermIn | str


def read_csv(raw: bytes) -> list[ReadRow]:
    """The rows of a file with or without a header line, separated by commas, semicolons or tabs. Raises `Invalid`."""
    try:
        text = decode(raw)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except csv.Error as error:
        raise Invalid.field("file", UNREADABLE) from error
    if len(rows) > ROWS_MAX:
        raise Invalid.field("file", TOO_MANY)
    filled = [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    names: Sequence[str] = COLUMNS
    if filled and "source" in (header := [cell.strip().casefold() for cell in filled[0][1]]):
        names = header
        del filled[0]
    if not filled:
        raise Invalid.field("file", EMPTY)
    return [_read(number, dict(zip(names, row, strict=False))) for number, row in filled]


def format_csv(terms: Iterable[GlossaryTermRow]) -> bytes:
    """UTF-8 with a mark at the beginning, without which Excel reads another encoding. No cell begins a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for term in terms:
        case = "yes" if term.case_sensitive else "no"
        languages = (term.source_language or "", term.target_language or "")
        texts = (text_cell(term.source), text_cell(term.target))
        writer.writerow((*texts, *languages, text_cell(term.note), case))
    return out.getvalue().encode("utf-8-sig")


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _read(number: int, row: Mapping[str, str]) -> ReadRow:
    row = {name: text_of_cell(cell.strip()) for name, cell in row.items()}
    source = row.get("source", "")
    case = row.get("case", "").casefold()
    if not source:
        return ReadRow(number, source, NO_SOURCE)
    if case not in _YES | _NO:
        return ReadRow(number, source, _BAD_CASE)
    values = {name: row.get(name, "") for name in COLUMNS if name != "case"}
    # A term without a translation stays as it is.
    values["target"] = values["target"] or source
    try:
        return ReadRow(number, source, TermIn.model_validate({**values, "case": case in _YES}))
    except ValidationError as error:
        return ReadRow(number, source, field_sentence(dict(error.errors()[0]))[1])
