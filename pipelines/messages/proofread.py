"""What the flow of kind `proofread` receives, hands over and ends with."""

from __future__ import annotations

from typing import Any

from cluster.stored_sentences import SentenceText
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult, engine_record
from serve.core.messages import EngineInfo
from serve.tasks.text.messages import CorrectionKind, ProofreadTask

PROOFREAD = "pipelines.flows.proofread:run"


class ProofLine(JsonMessage):
    """A line of the captions. `speaker` is a name, or None."""

    id: str
    text: str
    speaker: str | None = None


class ProofreadRequest(JsonMessage):
    """Proofread lines of a track. `language` is a code of the lists; `terms` are right as they are written."""

    file_id: str
    track_id: str
    language: str
    lines: tuple[ProofLine, ...]
    task: ProofreadTask = ProofreadTask.CORRECT
    terms: tuple[str, ...] = ()
    title: str = ""


class Proposal(JsonMessage):
    """A line that should change: its text when it was read, and as it should be.

    `is_large`: so much of it differs that a person should look twice before accepting it.
    """

    line: str
    before: str
    after: str
    kind: CorrectionKind
    reason: SentenceText
    is_large: bool


class ProofreadPart(JsonMessage):
    """The proposals for some lines, kept so that a later attempt skips them."""

    proposals: tuple[Proposal, ...]
    dropped: int = 0


class ProofreadResult(FlowResult):
    """All proposals in the order of the lines. `notes` are sentences for the person."""

    engine: EngineInfo
    proposals: tuple[Proposal, ...]
    lines: int
    notes: tuple[SentenceText, ...] = ()

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the proposals, which the proofreading keeps."""
        return {"engine": engine_record(self.engine), "lines": self.lines, "proposals": len(self.proposals)}
