"""Attempts that do what real flows must not: the request says what."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import ray

from pipelines.flows.messages import Chunk, Progress, Result

PARTS = 5
PARTS_BEFORE_DEATH = 2
RESULT = {
    "language": "is-IS",
    "language_probability": 1.0,
    "segments": [],
    "lines": [],
    "engine": {"engine": "none", "model": "none", "reason": "A test."},
}


def _attempt(
    kind: str, request: dict[str, Any], job_id: str, fence: int, chunks: dict[str, dict[str, Any]]
) -> Iterator[Progress | Chunk | Result]:
    what = request["what"]
    if what == "raise":
        raise ZeroDivisionError
    if what == "nonsense":
        yield Result({"lines": "none"})
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
            time.sleep(2)
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
                # What was yielded is on its way while this process lives.
                time.sleep(1)
                os._exit(1)
            made += 1
            yield Chunk(key, {"made_by": fence})
        yield Result({**RESULT, "made": made})
    else:
        yield Progress("working", 1, 2, "things")
        yield Result(RESULT)


strange_attempt = ray.remote(num_returns="streaming", max_retries=0)(_attempt)
