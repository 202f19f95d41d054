"""Read the rows of a CSV, a Word document or a text, as our downloads write them and other programs save them again."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from cluster.wording.message import Message
from pipelines.captions.limits import FILE_CHARS_MAX, LINES_MAX
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.encodings import decode
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.text import clean_text
from pipelines.captions.timestamps import BadTime, parse_time
from pipelines.spreadsheet_cells import text_of_cell

NO_TABLE = Message(
    "captions.review.no_table",
    "This Word document has no table with the columns Start and Text. Download the captions as Word, correct the text "
    "in that table, and bring the same document back.",
)
NOT_WORD = Message("captions.review.not_word", "This Word document is damaged. Save it again in Word as .docx.")
EMPTY = Message("captions.review.empty", "This file holds no text, so there is nothing to compare.")
TOO_LONG = Message("captions.review.too_long", "This file holds more text than captions may have.")

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DOCUMENT = "word/document.xml"
_DOCUMENT_BYTES_MAX = 60_000_000
"""Unpacked. A table of 20,000 rows takes 12 MB."""
_TEXT, _START, _START_MS = "text", "start", "start_ms"


@dataclass(frozen=True, slots=True)
class Row:
    """The text of a row, and when its line starts; None in a text without times."""

    text: str
    start_ms: int | None = None


def read_rows(raw: bytes, language: str | None) -> list[Row]:
    """The rows of a file, which its beginning tells apart. Raises `UnreadableSubtitles` with a sentence."""
    if raw[:4] == b"PK\x03\x04":
        rows = list(_of_word(raw))
    else:
        text = decode(raw, language, ImportReport()).removeprefix("\ufeff")
        rows = list(_of_table(text) or _of_text(text))
    if not any(row.text for row in rows):
        raise UnreadableSubtitles(EMPTY)
    if len(rows) > LINES_MAX or sum(len(row.text) for row in rows) > FILE_CHARS_MAX:
        raise UnreadableSubtitles(TOO_LONG)
    return rows


def _of_table(text: str) -> list[Row] | None:
    """The rows of a CSV, whichever sign parts its columns; None if the first row does not name them."""
    head = text.partition("\n")[0]
    sign = max(",;\t", key=head.count)
    csv.field_size_limit(FILE_CHARS_MAX)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign))
    except csv.Error:
        return None
    names = [name.strip().lower() for name in rows[0]] if rows else []
    if _TEXT not in names or not {_START, _START_MS} & set(names):
        return None
    return [_row(dict(zip(names, map(text_of_cell, row), strict=False))) for row in rows[1:] if any(row)]


def _row(cells: dict[str, str]) -> Row:
    return Row(clean_text(cells.get(_TEXT, "")), _start(cells))


def _start(cells: dict[str, str]) -> int | None:
    if (exact := cells.get(_START_MS, "").strip()).isdecimal():
        return int(exact)
    try:
        return parse_time(cells.get(_START, ""))
    except BadTime:
        return None


def _of_text(text: str) -> Iterator[Row]:
    for paragraph in text.splitlines():
        if paragraph.strip():
            yield Row(clean_text(paragraph))


def _of_word(raw: bytes) -> Iterator[Row]:
    """The rows of the tables. What was deleted with changes tracked is gone, what was inserted is there."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed, packed.open(_DOCUMENT) as document:
            xml = document.read(_DOCUMENT_BYTES_MAX + 1)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, NotImplementedError, RuntimeError) as damaged:
        raise UnreadableSubtitles(NOT_WORD) from damaged
    if len(xml) > _DOCUMENT_BYTES_MAX:
        raise UnreadableSubtitles(TOO_LONG)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as damaged:
        raise UnreadableSubtitles(NOT_WORD) from damaged
    found = False
    for table in root.iter(f"{_WORD}tbl"):
        rows = [[_cell(cell) for cell in row.findall(f"{_WORD}tc")] for row in table.findall(f"{_WORD}tr")]
        names = [name.strip().lower() for name in rows[0]] if rows else []
        if _TEXT in names and _START in names:
            found = True
            yield from (_row(dict(zip(names, row, strict=False))) for row in rows[1:])
    if not found:
        raise UnreadableSubtitles(NO_TABLE)


def _cell(cell: etree._Element) -> str:
    paragraphs = ["".join(_pieces(paragraph)) for paragraph in cell.iter(f"{_WORD}p")]
    return "\n".join(paragraphs)


def _pieces(paragraph: etree._Element) -> Iterator[str]:
    for piece in paragraph.iter(f"{_WORD}t", f"{_WORD}br", f"{_WORD}tab"):
        # What was moved stands where it came from and where it went.
        if next(piece.iterancestors(f"{_WORD}moveFrom"), None) is not None:
            continue
        yield "\n" if piece.tag == f"{_WORD}br" else " " if piece.tag == f"{_WORD}tab" else piece.text or ""


def texts_of(rows: Sequence[Row]) -> str:
    """All the words, for a file without times."""
    return " ".join(row.text for row in rows)
