"""What the `Writer` deployment requires of a text engine."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from serve.core.engine import Engine
from serve.core.messages import EngineRefused
from serve.tasks.text.messages import TextItem, TextOutcome

ItemOutcome: TypeAlias = TextOutcome | EngineRefused
"""The outcome of one item of a batch; a refusal does not affect its neighbours."""


class TextEngine(Engine[TextItem, TextOutcome], Protocol):
    """A loaded text engine: `run` gives the claims of sections and the parts of texts."""
