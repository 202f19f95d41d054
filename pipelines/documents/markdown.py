"""A document as CommonMark with task lists. `markdown_reader` reads what this writes."""

from __future__ import annotations

import re

from pipelines.documents.document import Document, DocumentBlock, times_of
from pipelines.documents.labels import labels_of
from pipelines.messages.minutes import BlockKind

LIST_KINDS = frozenset({BlockKind.BULLET, BlockKind.DECISION, BlockKind.ACTION})

_SPECIAL = re.compile(r"([\\`*_\[\]<])|&(?=#?\w+;)")
# At the start of a row these would begin a heading, list, quote, rule or code block.
_ROW_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|~{3,})")
# Signs at the end of a heading would be read as its closing sequence.
_HEADING_END = re.compile(r"(^|\s)(#+)\s*$")
_NUMBERED_START = re.compile(r"^(\s*\d{1,9})([.)])(?=\s|$)")


def format_markdown(document: Document, *, with_times: bool) -> str:
    """The document; `with_times` also writes the times of each sentence and the colophon."""
    parts = [_heading(1, escape(document.title))] if document.title else []
    previous: BlockKind | None = None
    for block in document.blocks:
        row = _row(document, block, with_times=with_times)
        if previous in LIST_KINDS and block.kind in LIST_KINDS:
            parts[-1] += f"\n{row}"
        else:
            parts.append(row)
        previous = block.kind
    if with_times and document.colophon:
        parts.append(f"---\n\n*{escape(' '.join(document.colophon))}*")
    return "\n\n".join(parts) + "\n" if parts else ""


def escape(text: str) -> str:
    """The text as Markdown that shows it unchanged."""
    escaped = _SPECIAL.sub(lambda found: f"\\{found[0]}", text)
    escaped = _ROW_START.sub(lambda found: f"{found[1]}\\{found[2]}", escaped)
    return _NUMBERED_START.sub(r"\1\\\2", escaped)


def _heading(level: int, text: str) -> str:
    ended = _HEADING_END.sub(r"\1\\\2", text)
    return f"{'#' * level} {ended}"


def _row(document: Document, block: DocumentBlock, *, with_times: bool) -> str:
    labels = labels_of(document.base_language)
    sentences = []
    for sentence in block.sentences:
        marks = [escape(sentence.text)]
        if with_times:
            marks += [f"*({labels.unsupported})*"] if sentence.unsupported else []
            marks += [escape(times)] if (times := times_of(sentence)) else []
        sentences.append(" ".join(marks))
    text = (" " if with_times else document.joint).join(sentences)
    match block.kind:
        case BlockKind.HEADING:
            return _heading(2, text)
        case BlockKind.PARAGRAPH:
            return text
        case BlockKind.BULLET:
            return f"- {text}"
        case BlockKind.DECISION:
            return f"- **{labels.decision}:** {text}"
        case BlockKind.ACTION:
            named = ((labels.owner, block.owner), (labels.due, block.due))
            facts = "; ".join(f"{label}: {escape(value)}" for label, value in named if value)
            return f"- [ ] {text} ({facts})" if facts else f"- [ ] {text}"
