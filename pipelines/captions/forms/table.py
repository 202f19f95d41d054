"""Captions as a table: CSV for spreadsheets, DOCX for people who read and correct on paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape
from typing import Any

from pipelines.captions.forms.form import Document
from pipelines.captions.texts.speaker_names import shown_name
from pipelines.captions.texts.styled_text import Run, runs_of
from pipelines.captions.texts.text import clean_text
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine, WordStyle
from pipelines.spreadsheet_cells import text_cell

COLUMNS = ("number", "start", "end", "start_ms", "end_ms", "speaker", "text")
_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BOM = "\ufeff"
"""Excel reads UTF-8 only after it."""


def write_csv(document: Document) -> bytes:
    """One row per line with the columns `COLUMNS`, in UTF-8 with a byte order mark, rows ended as RFC 4180 asks."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(COLUMNS)
    for number, line in enumerate(document.lines, 1):
        times = (format_time(line.start_ms), format_time(line.end_ms), line.start_ms, line.end_ms)
        rows.writerow((number, *times, text_cell(_speaker(line, document)), text_cell(line.text)))
    return (_BOM + written.getvalue()).encode()


def _speaker(line: CaptionLine, document: Document) -> str:
    return "" if line.speaker is None else document.names.get(line.speaker) or shown_name(line.speaker, None)


def write_docx(document: Document) -> bytes:
    """A Word document with a table of times, speakers and text. The speakers' column is left out where nobody is named.

    The table is made as XML: python-docx searches the whole table for each cell, 10,000 rows would take an hour.
    """
    # Imports read subtitles in a small process that has no use for it.
    import docx
    from docx.oxml import parse_xml
    from docx.shared import Pt

    word: Any = docx.Document()
    word.styles["Normal"].font.size = Pt(10)
    word.core_properties.title = document.title
    word.core_properties.language = document.language
    if document.title:
        word.add_heading(document.title, level=1)
    has_speakers = any(line.speaker for line in document.lines)
    widths = (1500, 1500, *((1700,) if has_speakers else ()), 4700 if has_speakers else 6400)
    body = word.element.body
    body.insert(len(body) - 1, parse_xml("".join(_table(document, widths, has_speakers=has_speakers))))
    written = io.BytesIO()
    word.save(written)
    return written.getvalue()


def _table(document: Document, widths: tuple[int, ...], *, has_speakers: bool) -> Iterator[str]:
    yield f'<w:tbl {_NAMESPACE}><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblLayout w:type="fixed"/></w:tblPr>'
    yield "<w:tblGrid>" + "".join(f'<w:gridCol w:w="{width}"/>' for width in widths) + "</w:tblGrid>"
    heads = ["Start", "End", *(["Speaker"] if has_speakers else []), "Text"]
    bold = frozenset({WordStyle.BOLD})
    yield _row([[Run(head, bold)] for head in heads], widths, "<w:trPr><w:tblHeader/></w:trPr>")
    for line in document.lines:
        times = [[Run(format_time(line.start_ms))], [Run(format_time(line.end_ms))]]
        speaker = [[Run(_speaker(line, document))]] if has_speakers else []
        yield _row([*times, *speaker, runs_of(line)], widths)
    yield "</w:tbl>"


def _row(cells: list[list[Run]], widths: tuple[int, ...], properties: str = "") -> str:
    shown = (
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr><w:p>{"".join(map(_run, runs))}</w:p></w:tc>'
        for width, runs in zip(widths, cells, strict=True)
    )
    return f"<w:tr>{properties or '<w:trPr><w:cantSplit/></w:trPr>'}{''.join(shown)}</w:tr>"


_MARKS = {WordStyle.BOLD: "<w:b/>", WordStyle.ITALIC: "<w:i/>", WordStyle.UNDERLINE: '<w:u w:val="single"/>'}


def _run(run: Run) -> str:
    marks = "".join(mark for style, mark in _MARKS.items() if style in run.styles)
    rows = (f'<w:t xml:space="preserve">{escape(_plain(row), quote=False)}</w:t>' for row in run.text.split("\n"))
    return f"<w:r><w:rPr>{marks}</w:rPr>{'<w:br/>'.join(rows)}</w:r>"


def _plain(row: str) -> str:
    """The row as XML can hold it: cleaned, with the spaces at its ends."""
    return " " * (row[:1] == " ") + clean_text(row) + " " * (row[-1:] == " " and len(row) > 1)
