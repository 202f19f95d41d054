"""A document as plain text in rows of any length."""

from __future__ import annotations

from pipelines.documents.document import Document, DocumentBlock, times_of
from pipelines.documents.labels import labels_of
from pipelines.messages.minutes import BlockKind


def format_plain_document(document: Document) -> str:
    rows = [document.title, ""] if document.title else []
    for block in document.blocks:
        if block.kind is BlockKind.HEADING and rows and rows[-1]:
            rows.append("")
        rows.append(_row(document, block))
        if block.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH):
            rows.append("")
    if document.colophon:
        rows += ["", " ".join(document.colophon)]
    return "\n".join(rows).rstrip("\n") + "\n"


def _row(document: Document, block: DocumentBlock) -> str:
    labels = labels_of(document.base_language)
    sentences = []
    for sentence in block.sentences:
        mark = f"({labels.unsupported})" if sentence.unsupported else ""
        sentences.append(" ".join(part for part in (sentence.text, mark, times_of(sentence)) if part))
    text = " ".join(sentences)
    match block.kind:
        case BlockKind.HEADING:
            return text
        case BlockKind.PARAGRAPH:
            return text
        case BlockKind.BULLET:
            return f"• {text}"
        case BlockKind.DECISION:
            return f"• {labels.decision}: {text}"
        case BlockKind.ACTION:
            named = ((labels.owner, block.owner), (labels.due, block.due))
            facts = "; ".join(f"{label}: {value}" for label, value in named if value)
            return f"☐ {text} ({facts})" if facts else f"☐ {text}"
