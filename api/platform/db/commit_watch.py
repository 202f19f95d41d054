"""Signals that a call is about to commit, so that its time limit no longer cancels it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

on_commit: ContextVar[Callable[[], None] | None] = ContextVar("on_commit", default=None)
"""Called before each commit of a write transaction in the current context."""


def commit_begins() -> None:
    watcher = on_commit.get()
    if watcher is not None:
        watcher()
