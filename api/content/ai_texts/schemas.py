from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.content.ai_texts.models import AiTextStatus, VersionKind
from api.platform.http.limits import AI_TEXT_MAX, LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from cluster.wording.message import Message
from pipelines.messages.minutes import BlockKind, TextType
from serve.core.capability import TaskState

TYPE_LABELS: dict[TextType, str] = {
    TextType.MINUTES: Message("ai_texts.label.minutes", "Minutes"),
    TextType.SHORT: Message("ai_texts.label.short", "Short summary"),
    TextType.LONG: Message("ai_texts.label.long", "Long summary"),
    TextType.BLOG: Message("ai_texts.label.blog", "Blog post"),
}
TYPE_DESCRIPTIONS: dict[TextType, str] = {
    TextType.MINUTES: Message("ai_texts.about.minutes", "Topics, decisions and who does what by when."),
    TextType.SHORT: Message("ai_texts.about.short", "The most important points in one paragraph."),
    TextType.LONG: Message("ai_texts.about.long", "Everything of substance, in order, under headings."),
    TextType.BLOG: Message("ai_texts.about.blog", "An article for readers who were not there."),
}

VERSION_MAX = 1_000_000_000
"""What fits into the column."""


class DocumentFormat(StrEnum):
    MARKDOWN = "md"
    DOCX = "docx"
    TEXT = "txt"


class CiteOut(BaseModel):
    """A caption line that supports a sentence. `text` is what it says now, or said last when it `is_gone`.

    `was` is its text when the sentence was written, null while it has not changed.
    """

    line_id: str
    start_ms: int
    end_ms: int
    text: str
    was: str | None
    is_gone: bool


class SentenceOut(BaseModel):
    """`unsupported`: the cited lines do not say this. `by_person`: somebody typed it, so nothing has to support it."""

    text: str
    unsupported: bool
    by_person: bool
    cites: list[CiteOut]


class BlockOut(BaseModel):
    """`stale`: a caption line that it cites has changed since, or is gone."""

    id: str
    kind: BlockKind
    owner: str | None
    due: str | None
    stale: bool
    sentences: list[SentenceOut]


class CoverageOut(BaseModel):
    """Milliseconds of speech in each minute, and how many of them the text cites. Both lists have the same length.

    A line counts for the minute in which it begins.
    """

    minute_ms: int
    speech_ms: list[int]
    cited_ms: list[int]


class AiTextOut(BaseModel):
    """A text about a file.

    `label` names the type and `language_label` the language. `is_draft`: the blocks are those of the text being
    written, so far. While a text is written again, its blocks stay those of `version`. `content` is Markdown without
    citations, for editing. `is_selection`: the engine only selected sentences of the transcript. `eta_s`,
    `queue_place`, `retry_at` and `stalled_s` are as in `FileOut`. `covered_ms` of `total_ms` of speech are in minutes
    that the text cites.
    """

    id: uuid.UUID
    type: TextType
    label: PageText
    language: str
    language_label: PageText
    state: AiTextStatus
    progress: int
    eta_s: int | None
    queue_place: int | None
    retry_at: datetime | None
    stalled_s: int | None
    title: str
    blocks: list[BlockOut]
    is_draft: bool
    content: str
    version: int
    is_edited: bool
    is_stale: bool
    covered_ms: int
    total_ms: int
    coverage: CoverageOut
    notes: list[PageText]
    engine: PageText | None
    is_selection: bool
    error: PageText | None
    created_at: datetime
    updated_at: datetime


class AiTextBrief(BaseModel):
    """A text as the card of its file shows it."""

    type: TextType
    label: PageText
    language: str
    state: AiTextStatus
    progress: int


class WriteTexts(BaseModel):
    """`language` is that of the texts; the transcript's own when unset."""

    language: str | None = Field(None, min_length=2, max_length=LANGUAGE_CODE_MAX)
    types: Annotated[list[TextType], Field(min_length=1, max_length=len(TextType))]


class TextChange(BaseModel):
    """The whole text as Markdown. With `version`, the change is refused when the text has a newer one."""

    content: Annotated[str, StringConstraints(min_length=1, max_length=AI_TEXT_MAX)]
    version: int | None = Field(None, ge=1, le=VERSION_MAX)


class RestoreVersion(BaseModel):
    version: int = Field(ge=1, le=VERSION_MAX)


class VersionOut(BaseModel):
    """A version of a text. `by` is the name of the person who typed or restored it, null for the engine."""

    number: int
    kind: VersionKind
    title: str
    by: str | None
    is_current: bool
    created_at: datetime


class VersionContentOut(BaseModel):
    """An earlier version as Markdown."""

    number: int
    content: str


class TypeOption(BaseModel):
    """A type of text. `reason` says why it is not `available` and what works."""

    value: TextType
    label: PageText
    description: PageText
    available: bool
    reason: PageText | None


class LanguageChoice(BaseModel):
    """A language for texts. `reason` says in a few words why it is not `available`."""

    value: str
    label: PageText
    available: bool
    reason: PageText | None


class AiTextOptions(BaseModel):
    """What can be written now. `language` is the default, the transcript's own; null without a file.

    `note` is a sentence about the engine, such as that it only selects sentences. `reason` says why nothing can be
    written at all.
    """

    state: TaskState
    engine: PageText | None
    is_selection: bool
    note: PageText | None
    reason: PageText | None
    language: str | None
    types: list[TypeOption]
    languages: list[LanguageChoice]
