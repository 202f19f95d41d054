"""What the flow of kind `minutes`, which writes every type of AI text, receives, hands over and ends with."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from cluster.stored_sentences import SentenceText, sentence_as_json
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult, engine_record
from serve.core.messages import EngineInfo
from serve.tasks.text.messages import ClaimKind

MINUTES = "pipelines.flows.minutes.flow:run"


class TextType(StrEnum):
    MINUTES = "minutes"
    SHORT = "short"
    LONG = "long"
    BLOG = "blog"


class BlockKind(StrEnum):
    """The form of a block: how the page and the downloads show it."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    DECISION = "decision"
    ACTION = "action"


class TextLine(JsonMessage):
    """A line of the captions. `speaker` is a name, or None."""

    id: str
    start_ms: int
    end_ms: int
    text: str
    speaker: str | None = None


class Sentence(JsonMessage):
    """One sentence and the ids of the lines that support it. `unsupported`: the check found no support in them."""

    text: str
    line_ids: tuple[str, ...] = ()
    unsupported: bool = False


class TextBlock(JsonMessage):
    """A heading, paragraph or list item. `owner` and `due` of an action stand only where somebody said them."""

    kind: BlockKind
    sentences: tuple[Sentence, ...]
    owner: str | None = None
    due: str | None = None


class MinutesRequest(JsonMessage):
    """Write one text of one type from the lines of a track. `language` is that of the text, a code of the lists."""

    file_id: str
    ai_text_id: str
    type: TextType
    language: str
    source_language: str
    lines: tuple[TextLine, ...]
    title: str = ""


class WrittenBlock(JsonMessage):
    """A block as soon as it is written, for the page: blocks of one attempt count from 0."""

    index: int
    block: TextBlock


class Claim(Sentence):
    """A sentence from which the text is written. `weight` ranks it where the engine can, else 0."""

    kind: ClaimKind = ClaimKind.POINT
    owner: str | None = None
    due: str | None = None
    weight: float = 0.0


class SectionNotes(JsonMessage):
    """The claims of one section, kept so that a later attempt skips it. `dropped`: parts that could not be used."""

    index: int
    claims: tuple[Claim, ...]
    dropped: int = 0


class MinutesResult(FlowResult):
    """The whole text. `covered_ms` of `total_ms` of speech stand behind at least one cited sentence.

    `notes` are sentences for the person, such as sentences that were left out because nothing supported them.
    """

    type: TextType
    language: str
    engine: EngineInfo
    title: str
    blocks: tuple[TextBlock, ...]
    covered_ms: int
    total_ms: int
    notes: tuple[SentenceText, ...] = ()

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the blocks, which the text keeps."""
        return {
            "type": self.type,
            "language": self.language,
            "engine": engine_record(self.engine),
            "blocks": len(self.blocks),
            "covered_ms": self.covered_ms,
            "total_ms": self.total_ms,
            "notes": [sentence_as_json(note) for note in self.notes],
        }
