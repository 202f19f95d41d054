"""What an attempt of a job is given and what it streams back.

A flow is a generator function `flow(request, attempt) -> Iterator[Progress | Chunk | Result]`.
It yields any number of `Progress` and `Chunk`, then exactly one `Result`; on purpose it raises `StageFailed` alone.
`request` is a type of `requests.py`, frozen with the job. A flow may run twice and must then have one effect.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.flows.json_message import JsonMessage
from pipelines.flows.results import FlowResult

DISK_FULL = "The server ran out of disk space while working on this file. It goes on when there is room again."


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of one job.

    `work` is this attempt's own folder (created, empty). Files the flow wants to keep are put into storage under
    `storage_prefix`, which no other attempt uses; they become visible when the owner of the job accepts the result.
    `chunks` holds the finished chunks of earlier attempts by chunk key, as the JSON in which they were kept.
    """

    job_id: str
    fence: int
    work: Path
    storage_prefix: str
    chunks: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the attempt is. `done` and `total` are in `unit` ("audio_ms", "frames", "bytes"); `phase` is one word."""

    phase: str
    done: int
    total: int
    unit: str

    @property
    def percent(self) -> int:
        """Whole percent, 0 to 99: only the result makes it 100."""
        return 0 if self.total <= 0 else max(0, min(99, self.done * 100 // self.total))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A finished part of the result, kept so that a later attempt starts after it."""

    key: str
    payload: JsonMessage


@dataclass(frozen=True, slots=True)
class Result:
    """The end of an attempt that worked."""

    payload: FlowResult


LANGUAGE_UNSUPPORTED = "language_unsupported"
"""Code of a failure that another language cures: the loaded model does not know the one that was chosen."""


class StageFailed(Exception):
    """An attempt cannot go on. `reason` is a sentence for the user; `retryable`: whether another attempt may help.

    `code` is what pages decide by, empty for failures that nobody can cure by a choice.
    """

    def __init__(self, stage: str, reason: str, *, retryable: bool, code: str = "") -> None:
        super().__init__(stage, reason, retryable, code)
        self.stage = stage
        self.reason = reason
        self.retryable = retryable
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild_stage_failed, (self.stage, self.reason, self.retryable, self.code))


def _rebuild_stage_failed(stage: str, reason: str, retryable: bool, code: str) -> StageFailed:
    return StageFailed(stage, reason, retryable=retryable, code=code)
