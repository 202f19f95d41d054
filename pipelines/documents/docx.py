"""A document as a Word file, with the styles of Word's own template, so that it takes on those of the reader."""

from __future__ import annotations

import io
from datetime import datetime

import docx
from docx.document import Document as WordDocument
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from pipelines.documents.document import Document, DocumentBlock, times_of
from pipelines.documents.labels import Labels, labels_of
from pipelines.messages.minutes import BlockKind

QUIET = RGBColor(0x64, 0x6D, 0x69)
WARNING = RGBColor(0x87, 0x53, 0x00)
MARK_SIZE = Pt(8.5)

_STYLES = {
    BlockKind.HEADING: "Heading 1",
    BlockKind.PARAGRAPH: "Normal",
    BlockKind.BULLET: "List Bullet",
    BlockKind.DECISION: "List Bullet",
    BlockKind.ACTION: "List Paragraph",
}


def format_docx(document: Document, *, created_at: datetime) -> bytes:
    """The bytes of a .docx file. `created_at` becomes its date."""
    word = docx.Document()
    word.core_properties.title = document.title[:255]
    word.core_properties.author = ""
    word.core_properties.comments = ""
    word.core_properties.language = document.language
    word.core_properties.created = word.core_properties.modified = created_at
    labels = labels_of(document.base_language)
    if document.title:
        _direct(word.add_paragraph(document.title, style="Title"), document)
    for block in document.blocks:
        _add(word, document, block, labels)
    if document.colophon:
        quiet = word.add_paragraph()
        _mark(quiet.add_run(" ".join(document.colophon)), QUIET)
        _direct(quiet, document)
    written = io.BytesIO()
    word.save(written)
    return written.getvalue()


def _add(word: WordDocument, document: Document, block: DocumentBlock, labels: Labels) -> None:
    paragraph = word.add_paragraph(style=_STYLES[block.kind])
    if block.kind is BlockKind.DECISION:
        paragraph.add_run(f"{labels.decision}: ").bold = True
    if block.kind is BlockKind.ACTION:
        paragraph.add_run("☐ ")
    for number, sentence in enumerate(block.sentences):
        paragraph.add_run((document.joint if number else "") + sentence.text)
        if sentence.unsupported:
            _mark(paragraph.add_run(f" ({labels.unsupported})"), WARNING)
        if times := times_of(sentence):
            _mark(paragraph.add_run(f" {times}"), QUIET)
    named = ((labels.owner, block.owner), (labels.due, block.due))
    if facts := "; ".join(f"{label}: {value}" for label, value in named if value):
        paragraph.add_run(f" ({facts})").italic = True
    _direct(paragraph, document)


def _mark(run: Run, colour: RGBColor) -> None:
    run.font.size = MARK_SIZE
    run.font.color.rgb = colour


def _direct(paragraph: Paragraph, document: Document) -> None:
    """Name the language of the runs for the spelling checker, and their direction where it is from right to left."""
    for run in paragraph.runs:
        language = OxmlElement("w:lang")
        language.set(qn("w:bidi" if document.is_right_to_left else "w:val"), document.language)
        properties = run._r.get_or_add_rPr()
        if document.is_right_to_left:
            properties.append(OxmlElement("w:rtl"))
        properties.append(language)
    if document.is_right_to_left:
        paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
