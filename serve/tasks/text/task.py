"""AI text as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_TEXT
from serve.core.task import ModelTask
from serve.tasks.text.messages import (
    COMPOSE_TOKENS,
    PROMPT_TOKENS,
    PROOFREAD_TOKENS,
    SECTION_TOKENS,
    TEXT,
    ProofreadItem,
    SectionItem,
    TextItem,
    TextOutcome,
)

CHARACTERS_PER_TOKEN = 3
"""Between Icelandic (2.5 to 3) and English (4) with the tokenizers of current chat models."""


def tokens(text: str) -> int:
    """An estimate, for bounds and fairness; the model counts by its own tokenizer."""
    return len(text) // CHARACTERS_PER_TOKEN + 1


def _stream(item: TextItem) -> str:
    return item.stream


def _cost(item: TextItem) -> int:
    if isinstance(item, SectionItem):
        return PROMPT_TOKENS + sum(tokens(line.text) + 4 for line in item.lines) + SECTION_TOKENS
    if isinstance(item, ProofreadItem):
        return PROMPT_TOKENS + sum(tokens(line.text) + 4 for line in item.lines) + PROOFREAD_TOKENS
    return PROMPT_TOKENS + sum(tokens(claim.text) + 4 for claim in item.claims) + COMPOSE_TOKENS


TEXT_WORK: ModelTask[TextItem, TextOutcome] = ModelTask(
    name=TEXT,
    model=Message("text.model", "text model"),
    material=MATERIAL_TEXT,
    items="sections",
    stream=_stream,
    cost=_cost,
    expected_speed=500.0,
    slowest_speed=20.0,
    call_overhead=500,
    # A chat model on two cores takes minutes for a section, and other files' sections may be before it. A job waits as
    # long for an endpoint that is away.
    deadline_s=1800.0,
)
"""Its cost is tokens of prompt and longest answer."""
