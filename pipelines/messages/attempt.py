"""What an attempt of a job receives and what it streams back.

A flow is a generator function `flow(request, attempt) -> Iterator[Progress | Chunk | Interim | Result]`.
It yields any number of the first three, then exactly one `Result`. The only exception it raises on purpose is
`StageFailed`.
`request` is a type of `requests.py`, frozen with the job. A flow may run twice and must then have one effect.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult

DISK_FULL = Message(
    "pipelines.messages.disk_full",
    "The server ran out of disk space while working on this file. It continues when there is room again.",
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of one job.

    `work` is this attempt's own folder (created, empty). The flow puts files to keep into storage under
    `storage_prefix`, which no other attempt uses. They become visible when the dispatcher accepts the result.
    `chunks` holds the finished chunks of earlier attempts by chunk key, as the JSON in which they were kept.
    """

    job_id: str
    fence: int
    work: Path
    storage_prefix: str
    chunks: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Placed:
    """The first value of an attempt on a cluster: the id of the Ray node it runs on."""

    node: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the attempt is. `done` and `total` are in `unit` ("audio_ms", "frames", "bytes", "lines").

    `phase` is one word.
    """

    phase: str
    done: int
    total: int
    unit: str

    @property
    def percent(self) -> int:
        """Whole percent, 0 to 99. Only the result means 100."""
        return 0 if self.total <= 0 else max(0, min(99, self.done * 100 // self.total))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A finished part of the result, stored so that a later attempt can skip it."""

    key: str
    payload: JsonMessage


@dataclass(frozen=True, slots=True)
class Interim:
    """What may still change. It is shown and never stored, and only the newest counts: it may be lost."""

    payload: JsonMessage


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a successful attempt."""

    payload: FlowResult


LANGUAGE_UNSUPPORTED = "language_unsupported"
"""Code of a failure that choosing another language fixes: the loaded model does not support the chosen one."""


OVERLOADED = "overloaded"
"""Code of a failure for which nothing is at fault: more work waits than the model takes, and this work waits for it."""


class StageFailed(Exception):
    """An attempt cannot continue. `reason` is a sentence for the user. `retryable`: another attempt may help.

    Pages decide by `code`. It is empty for failures that no choice of the user fixes.
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
