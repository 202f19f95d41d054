"""A model in a process of its own, so that its memory is its own and a crash ends nothing else.

`python -m benchmarks.measure.models.child MODULE` loads MODULE, whose `load(configuration)` returns a `Loaded`.
Requests and answers are JSON, one a line. The standard library is enough here: peers run in environments without ours.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready. `about` describes it: engine, model and whatever else belongs into the result."""

    answer: Callable[[Json], Json]
    about: Json = field(default_factory=dict)
    close: Callable[[], None] = lambda: None


class Unanswered(Exception):
    """The model has no answer to a request. The message is for the person."""


def main(module: str) -> None:
    out = _private_output()
    configuration = json.loads(sys.stdin.readline())
    begun = time.monotonic()
    # Whatever goes wrong here, the person should read it, not a broken pipe.
    try:
        loaded: Loaded = importlib.import_module(module).load(configuration)
    except Exception as failure:
        _send(out, {"problem": _sentence(failure)})
        return
    _send(out, {"about": loaded.about, "seconds": time.monotonic() - begun})
    try:
        for line in sys.stdin:
            _send(out, _answered(loaded, json.loads(line)))
    finally:
        loaded.close()


def _answered(loaded: Loaded, request: Json) -> Json:
    begun = time.monotonic()
    try:
        answer = loaded.answer(request)
    except Exception as failure:
        return {"problem": _sentence(failure)}
    return {"answer": answer, "seconds": time.monotonic() - begun, "peak_bytes": _peak_bytes()}


def _sentence(failure: Exception) -> str:
    return str(failure) if isinstance(failure, Unanswered) else f"{type(failure).__name__}: {failure}"


def _send(out: TextIO, record: Json) -> None:
    out.write(json.dumps(record, ensure_ascii=False) + "\n")
    out.flush()


def _private_output() -> TextIO:
    """The pipe to the parent. What libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _peak_bytes() -> int:
    """Peak resident memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    # The module by its own name: sides raise its `Unanswered`, which that of `__main__` is not.
    importlib.import_module("benchmarks.measure.models.child").main(sys.argv[1])
