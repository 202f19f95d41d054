"""A text as a document: as Markdown for editing, and as files to download."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from api.content.ai_texts.content import Content
from api.content.ai_texts.models import AiText, AiTextVersion, VersionKind
from api.content.ai_texts.schemas import TYPE_LABELS, DocumentFormat
from api.content.files.models import File
from cluster.wording.message import Message, in_language
from pipelines.documents.document import Document, DocumentBlock, DocumentSentence
from pipelines.documents.markdown import format_markdown
from pipelines.documents.plain import format_plain_document
from pipelines.messages.minutes import TextType
from serve.tasks.engine_labels import engine_label

MEDIA_TYPES = {
    DocumentFormat.MARKDOWN: "text/markdown; charset=utf-8",
    DocumentFormat.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    DocumentFormat.TEXT: "text/plain; charset=utf-8",
}


def markdown_of(content: Content, language: str) -> str:
    """The text alone, as it is edited."""
    return format_markdown(_document(content, language), with_times=False)


async def download_of(file: File, text: AiText, version: AiTextVersion, form: DocumentFormat) -> bytes:
    """The text with the times of the lines it cites and a sentence on how it was made."""
    content = Content.from_json(version.content)
    document = _document(
        content,
        text.language,
        title=_title(file, text, content),
        colophon=_in_language_of(text, _colophon(file, version)),
    )
    match form:
        case DocumentFormat.MARKDOWN:
            return format_markdown(document, with_times=True).encode()
        case DocumentFormat.TEXT:
            return format_plain_document(document).encode()
        case DocumentFormat.DOCX:
            # A long text takes half a second.
            return await asyncio.to_thread(_docx, document, version.created_at)


def _docx(document: Document, created_at: datetime) -> bytes:
    # Importing it takes 0.1 s of the start of a web process, which may never write one.
    from pipelines.documents.docx import format_docx

    return format_docx(document, created_at=created_at)


def _title(file: File, text: AiText, content: Content) -> str:
    (label,) = _in_language_of(text, [TYPE_LABELS[TextType(text.type)]])
    return content.title or f"{label}: {file.name}"


def _in_language_of(text: AiText, said: Iterable[str]) -> tuple[str, ...]:
    """What we say around a text in its language; in English where we do not speak that."""
    return tuple(in_language(one, text.language.split("-")[0]) for one in said)


def _colophon(file: File, version: AiTextVersion) -> tuple[str, ...]:
    made = _engine_line(version.engine)
    edited = Message("ai_texts.colophon.edited", "Edited by a person.") if version.kind == VersionKind.EDITED else ""
    source = Message("ai_texts.colophon.times", "Times in brackets refer to the recording “{name}”.", name=file.name)
    return tuple(sentence for sentence in (made, edited, source) if sentence)


def _engine_line(engine: Mapping[str, Any]) -> str:
    if not engine:
        return ""
    if engine.get("only_selects"):
        return Message(
            "ai_texts.colophon.selected",
            "These sentences were selected from the transcript, not written anew.",
        )
    return Message(
        "ai_texts.colophon.written",
        "Written by {engine} from the transcript.",
        engine=engine_label(engine["engine"], engine["model"]),
    )


def _document(content: Content, language: str, *, title: str | None = None, colophon: tuple[str, ...] = ()) -> Document:
    starts = {line.id: line.start_ms for line in content.lines}
    blocks = tuple(
        DocumentBlock(
            kind=block.kind,
            sentences=tuple(
                DocumentSentence(
                    sentence.text,
                    tuple(sorted(starts[line_id] for line_id in sentence.line_ids if line_id in starts)),
                    sentence.unsupported,
                )
                for sentence in block.sentences
            ),
            owner=block.owner,
            due=block.due,
        )
        for block in content.blocks
    )
    return Document(content.title if title is None else title, language, blocks, colophon)
