"""A machine with torch and transformers alone: what else the engine imports and does not need there."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class _Silent:
    """A logger that says nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def stand_in_for_structlog() -> None:
    """Where structlog is not installed, its loggers say nothing. Call it before the engine is imported."""
    if find_spec("structlog") is None:
        module = ModuleType("structlog")
        module.get_logger = lambda *_, **__: _Silent()  # type: ignore[attr-defined]
        sys.modules["structlog"] = module
        return
    from benchmarks.quiet import silence_logs

    silence_logs()
