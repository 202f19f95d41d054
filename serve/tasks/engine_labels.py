"""Engines of all tasks in words."""

from __future__ import annotations

from serve.core.engine_label import EngineLabel
from serve.tasks.registry import TASKS

_LABELS: dict[str, EngineLabel] = {engine: label for task in TASKS for engine, label in task.engines.items()}


def engine_label(engine: str, model: str) -> str:
    """The engine and its model in words: `whisper`, `/models/whisper-is` -> "Whisper is"."""
    return _LABELS.get(engine, EngineLabel()).of(engine, model)
