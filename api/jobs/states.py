"""The kinds and states of a job, and which state may follow which."""

from __future__ import annotations

from enum import StrEnum


class JobKind(StrEnum):
    UPLOAD = "upload"
    TRANSCRIBE = "transcribe"
    ENCODING = "encoding"
    EXPORT = "export"
    MINUTES = "minutes"
    TRANSLATE = "translate"


class JobState(StrEnum):
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ALLOWED: dict[JobState, frozenset[JobState]] = {
    JobState.READY: frozenset({JobState.RUNNING, JobState.CANCELLED}),
    JobState.RUNNING: frozenset({JobState.READY, JobState.DONE, JobState.FAILED, JobState.CANCELLED}),
    JobState.DONE: frozenset(),
    JobState.FAILED: frozenset({JobState.READY}),
    JobState.CANCELLED: frozenset({JobState.READY}),
}

UNFINISHED = (JobState.READY, JobState.RUNNING)
