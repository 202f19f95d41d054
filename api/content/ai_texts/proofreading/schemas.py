from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field

from api.content.ai_texts.models import AiTextStatus
from api.content.ai_texts.proofreading.models import Proofreading
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from pipelines.messages.proofread import ProofreadResult
from serve.tasks.engine_labels import engine_label
from serve.tasks.text.messages import CorrectionKind, ProofreadTask

LINES_MAX = 2_000
"""Lines that one call can name; without any, all lines are read."""


class StartProofreading(BaseModel):
    """Which track to proofread, by default the transcription, and which of its lines, by default all."""

    language: Annotated[str | None, Field(max_length=LANGUAGE_CODE_MAX)] = None
    lines: Annotated[list[uuid.UUID], Field(min_length=1, max_length=LINES_MAX)] | None = None
    task: ProofreadTask = ProofreadTask.CORRECT


class ProposalOut(BaseModel):
    """A line that should change. `is_large`: much of it is rewritten, so look twice before accepting it."""

    line: uuid.UUID
    before: str
    after: str
    kind: CorrectionKind
    reason: PageText
    is_large: bool


class ProofreadingOut(BaseModel):
    """The last proofreading of a track. `is_by_rules`: no language model read the lines. `notes` are sentences."""

    status: AiTextStatus
    progress: int
    error: PageText | None
    engine: PageText | None
    is_by_rules: bool
    lines: int
    proposals: list[ProposalOut]
    notes: list[PageText]


def describe(row: Proofreading) -> ProofreadingOut:
    result = ProofreadResult.read(row.content) if row.content else None
    return ProofreadingOut(
        status=row.status,
        progress=row.progress,
        error=row.error,
        engine=None if result is None else engine_label(result.engine.engine, result.engine.model),
        is_by_rules=result is not None and result.engine.only_selects,
        lines=0 if result is None else result.lines,
        proposals=[] if result is None else [ProposalOut(**each.model_dump()) for each in result.proposals],
        notes=[] if result is None else list(result.notes),
    )
