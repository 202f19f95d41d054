"""Attempts that do what real flows must not; the request says what.

Workers import this module, so it imports nothing of the control plane.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray

from pipelines.flows.draining import drains_on_request
from pipelines.messages.attempt import Chunk, Progress, Result
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import ExportResult, TranscribeResult
from serve.core.messages import EngineInfo
from serve.core.sending import SENDING

PARTS = 5
PARTS_BEFORE_DEATH = 2


class Strange(JsonMessage):
    """`until`: a file that lets the first attempt go on."""

    what: str
    until: str = ""


class Part(JsonMessage):
    made_by: int


class StrangeResult(TranscribeResult):
    made: int = 0

    def record(self) -> dict[str, Any]:
        return {**super().record(), "made": self.made}


RESULT = StrangeResult(
    language="is-IS",
    language_probability=1.0,
    engine=EngineInfo("transcription", "none", "none", "cpu", "A test."),
    lines=(),
)


def _attempt(
    flow: str,
    request: Strange,
    job_id: str,
    fence: int,
    chunks: dict[str, dict[str, Any]],
    request_id: str | None = None,
) -> Iterator[Progress | Chunk | Result]:
    what = request.what
    if what == "raise":
        raise ZeroDivisionError
    if what == "nonsense":
        yield Result(ExportResult(export_key="none", size_bytes=0))
    elif what == "end":
        return
    elif what == "deaf":
        yield Progress("working", 1, 2, "things")
        while True:
            with suppress(KeyboardInterrupt):
                time.sleep(60)
    elif what == "still":
        yield Progress("working", 1, 4, "things")
        if fence == 1:
            while not Path(request.until).exists():
                time.sleep(0.05)
            yield Progress("working", 2, 4, "things")
            time.sleep(600)
        yield Result(RESULT)
    elif what == "parts":
        made = 0
        for number in range(PARTS):
            key = f"window-{number}"
            if key in chunks:
                continue
            if fence == 1 and made == PARTS_BEFORE_DEATH:
                # Ray delivers what was yielded only while this process lives.
                time.sleep(1)
                os._exit(1)
            made += 1
            yield Chunk(key, Part(made_by=fence))
        yield Result(RESULT.model_copy(update={"made": made}))
    elif what == "windows":
        yield from drains_on_request(_windows(fence, chunks), job_id, fence)
    else:
        yield Progress("working", 1, 2, "things")
        yield Result(RESULT)


def _windows(fence: int, chunks: dict[str, dict[str, Any]]) -> Iterator[Progress | Chunk | Result]:
    """The model of the first attempt works on its first window until its dispatcher stops."""
    made = 0
    for number in range(PARTS):
        key = f"window-{number}"
        if key in chunks:
            continue
        with SENDING.request(threading.Event()):
            yield Progress("working", number, PARTS, "things")
            while fence == 1 and not SENDING.is_paused:
                time.sleep(0.1)
            made += 1
            yield Chunk(key, Part(made_by=fence))
    yield Result(RESULT.model_copy(update={"made": made}))


strange_attempt = ray.remote(num_returns="streaming", max_retries=0)(_attempt)
