"""Invariants of the scheduler for any streams, keys, cancellations and failures, in any order."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluster.testing.patience import PATIENCE_S
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.task import SPEECH

SECOND = b"\0\0" * 16_000
WORKERS = 2
MAX_BATCH = 3


@dataclass(frozen=True)
class Request:
    """One window; `fate` says what the engine or its caller does to it."""

    stream: str
    key: int
    seconds: int
    fate: str


REQUESTS = st.builds(
    Request,
    stream=st.sampled_from("abcd"),
    key=st.integers(1, 3),
    seconds=st.integers(1, 4),
    fate=st.sampled_from(["answered", "answered", "answered", "refused", "breaks", "cancelled", "cancelled late"]),
)


MAX_COST = st.sampled_from([None, 1, 2500, 4000])
"""Bounds on a batch in milliseconds of sound: none, one that only single windows exceed, two that cut batches."""


class Engine:
    """Treats each window by its fate and records every batch. It starts once `gate` is set."""

    info = EngineInfo("transcription", "fates", "", "cpu", "Test.")
    gains_from_batches = True
    has_deadline = False
    spare_workers = 0

    def __init__(self, fates: dict[int, str], *, parallel: int) -> None:
        self.parallel = parallel
        self.gate = threading.Event()
        self.batches: list[list[AudioWindow]] = []
        self._fates = fates
        self._lock = threading.Lock()

    def batch_key(self, item: AudioWindow) -> int:
        return item.options.beam_size

    def rest(self) -> None: ...

    def close(self) -> None: ...

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowResult | EngineRefused]:
        assert self.gate.wait(PATIENCE_S)
        with self._lock:
            self.batches.append(list(batch))
        if any(self._fates[window.index] == "breaks" for window in batch):
            raise RuntimeError("broken")
        return [
            EngineRefused(EngineProblem.BAD_INPUT, "Damaged.")
            if self._fates[window.index] == "refused"
            else WindowResult(window.index, (), "en", 1.0)
            for window in batch
        ]


@settings(max_examples=80)
@given(
    requests=st.lists(REQUESTS, max_size=24),
    bursts=st.lists(st.integers(1, 8), min_size=24, max_size=24),
    max_cost=MAX_COST,
)
def test_each_window_gets_one_answer_that_matches_its_fate(
    requests: list[Request], bursts: list[int], max_cost: int | None
) -> None:
    engine = Engine({index: one.fate for index, one in enumerate(requests)}, parallel=WORKERS)
    engine.gate.set()
    outcomes, queued = asyncio.run(_all_outcomes(engine, requests, bursts, max_cost))
    assert queued == 0
    for one, (index, outcome) in zip(requests, enumerate(outcomes), strict=True):
        if isinstance(outcome, WindowResult):
            assert outcome.index == index
            assert one.fate in {"answered", "cancelled late"}
        elif isinstance(outcome, EngineRefused):
            wanted = {"refused": EngineProblem.BAD_INPUT, "breaks": EngineProblem.MODEL_FAILED}
            assert outcome.problem is wanted[one.fate]
        else:
            assert isinstance(outcome, asyncio.CancelledError)
            assert one.fate in {"cancelled", "cancelled late"}
    assert all(len({window.options.beam_size for window in batch}) == 1 for batch in engine.batches)
    assert all(len(batch) <= MAX_BATCH for batch in engine.batches)
    assert all(_fits(batch, max_cost) for batch in engine.batches)
    tried = Counter(window.index for batch in engine.batches for window in batch)
    assert all(
        tried[index] == 1 for index, one in enumerate(requests) if one.fate == "answered" and not _broke(engine, index)
    )


async def _all_outcomes(
    engine: Engine, requests: list[Request], bursts: list[int], max_cost: int | None
) -> tuple[list[WindowResult | BaseException], int]:
    limits = BatchLimits(max_batch=MAX_BATCH, max_batch_cost=max_cost, wait_ms=1, max_queued=1_000_000)
    batcher: Batcher[AudioWindow, WindowResult] = Batcher(SPEECH, engine, limits)
    tasks: list[asyncio.Task[WindowResult]] = []
    sizes = iter(bursts)
    left = list(enumerate(requests))
    while left:
        burst = [left.pop(0) for _ in range(min(len(left), next(sizes)))]
        for index, one in burst:
            options = DecodeOptions(beam_size=one.key)
            window = AudioWindow(one.stream, index, 0, SECOND * one.seconds, options)
            tasks.append(asyncio.create_task(batcher.submit(window)))
            if one.fate == "cancelled":
                asyncio.get_running_loop().call_soon(tasks[-1].cancel)
            if one.fate == "cancelled late":
                asyncio.get_running_loop().call_later(0.002, tasks[-1].cancel)
        await asyncio.sleep(0)
    outcomes = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE_S)
    batcher.close()
    return list(outcomes), batcher.queued


def _fits(batch: Sequence[AudioWindow], max_cost: int | None) -> bool:
    return max_cost is None or len(batch) == 1 or sum(map(SPEECH.cost, batch)) <= max_cost


def _broke(engine: Engine, index: int) -> bool:
    """Whether the window shared a batch with one that broke it, after which each runs by itself."""
    return any(
        index in indexes and any(engine._fates[other] == "breaks" for other in indexes)
        for indexes in ([window.index for window in batch] for batch in engine.batches)
    )


@pytest.mark.long
@settings(max_examples=80)
@given(
    waiting=st.dictionaries(
        st.sampled_from("abcdef"), st.lists(st.integers(1, 2), min_size=1, max_size=8), min_size=2, max_size=6
    ),
    max_cost=MAX_COST,
)
def test_each_batch_starts_with_the_least_recently_served_stream(
    waiting: dict[str, list[int]], max_cost: int | None
) -> None:
    """Each batch starts with the stream that has waited longest, so none is overtaken twice by the same other."""
    engine = Engine(dict.fromkeys(range(1000), "answered"), parallel=1)
    asyncio.run(_served(engine, waiting, max_cost))
    left = {stream: len(keys) for stream, keys in waiting.items()}
    last_served = dict.fromkeys(waiting, -1)
    for number, batch in enumerate(engine.batches[1:]):
        longest = min((last_served[stream] for stream in left if left[stream]), default=-1)
        assert last_served[batch[0].stream] == longest
        for window in batch:
            left[window.stream] -= 1
            last_served[window.stream] = number
    assert not any(left.values())
    assert all(_fits(batch, max_cost) for batch in engine.batches)
    for stream in waiting:
        served = [window.index for batch in engine.batches for window in batch if window.stream == stream]
        assert served == sorted(served)


async def _served(engine: Engine, waiting: dict[str, list[int]], max_cost: int | None) -> None:
    """All windows wait together behind one that keeps the only worker busy."""
    limits = BatchLimits(max_batch=MAX_BATCH, max_batch_cost=max_cost, wait_ms=0, max_queued=1_000_000)
    batcher: Batcher[AudioWindow, WindowResult] = Batcher(SPEECH, engine, limits)
    tasks = [asyncio.create_task(batcher.submit(AudioWindow("first", 0, 0, SECOND)))]
    await asyncio.sleep(0.002)
    for stream, keys in waiting.items():
        for index, key in enumerate(keys):
            options = DecodeOptions(beam_size=key)
            window = AudioWindow(stream, index, 0, SECOND * (1 + index % 3), options)
            tasks.append(asyncio.create_task(batcher.submit(window)))
    await asyncio.sleep(0)
    engine.gate.set()
    await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE_S)
    batcher.close()
