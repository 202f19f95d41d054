"""Engines of all tasks in words."""

from __future__ import annotations

from functools import cache

from serve.core.engine_label import EngineLabel
from serve.tasks.registry import TASKS


def engine_label(engine: str, model: str) -> str:
    """The engine and its model in words: `whisper`, `/models/whisper-is` -> "Whisper is"."""
    label = _labels().get(engine)
    return (label or EngineLabel(engine)).of("" if label is None else engine, model)


@cache
def _labels() -> dict[str, EngineLabel]:
    return {engine: label for task in TASKS for engine, label in task.engines.items()}
