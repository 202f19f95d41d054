"""Work that arrives at a multiple of what a model can do: whether anything fails, and how long accepted work takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ray import serve as ray_serve

from serve.core.client import pause_s
from serve.core.messages import EngineRefused
from serve.testing.counted_task import Counted, Piece

CALLERS = 400
ANSWER_WITHIN_S = 600.0


@dataclass
class Load:
    """What happened to the pieces. Times are in seconds: `accepted` of the request that succeeded, `total` from arrival
    to result with every wait before it.
    """

    accepted: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    refusals: int = 0
    failures: list[str] = field(default_factory=list)


def overload(task: str, piece_ms: int, times: float, seconds: float) -> Load:
    """Send pieces of `piece_ms` to one worker, `times` as fast as it works, open loop, and wait for all results."""
    load, lock = Load(), threading.Lock()
    handle = ray_serve.get_app_handle(task).options(_by_reference=False)

    def one(number: int) -> None:
        arrived, overloads = time.monotonic(), 0
        while True:
            sent = time.monotonic()
            try:
                answer: Counted = handle.run.remote(Piece(f"file-{number % 20}", number, piece_ms)).result(
                    timeout_s=ANSWER_WITHIN_S
                )
            except EngineRefused as refused:
                if refused.retry_after_s is None:
                    raise
                overloads += 1
                with lock:
                    load.refusals += 1
                time.sleep(pause_s(refused.retry_after_s, overloads))
                continue
            assert answer.number == number
            now = time.monotonic()
            with lock:
                load.accepted.append(now - sent)
                load.total.append(now - arrived)
            return

    every_s = piece_ms / 1000 / times
    begun = time.monotonic()
    with ThreadPoolExecutor(CALLERS) as callers:
        sent = []
        for number in range(round(seconds / every_s)):
            time.sleep(max(0.0, begun + number * every_s - time.monotonic()))
            sent.append(callers.submit(one, number))
    load.failures = [repr(error) for future in sent if (error := future.exception()) is not None]
    return load


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
