"""A scheduler of windows, and an engine whose speed the tests control."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.task import SPEECH

SECOND = b"\0\0" * 16_000
MANY = 600_000
SpeechBatcher: TypeAlias = Batcher[AudioWindow, WindowResult]


def window(stream: str, index: int = 0, *, options: DecodeOptions | None = None, seconds: int = 1) -> AudioWindow:
    return AudioWindow(stream, index, 0, SECOND * seconds, options or DecodeOptions())


class HeldEngine:
    """Records every batch, and runs none while it is held."""

    info = EngineInfo("transcription", "held", "", "cpu", "Test.")
    gains_from_batches = True
    has_deadline = False

    def __init__(self, *, parallel: int = 1, spare_workers: int = 0) -> None:
        self.parallel = parallel
        self.spare_workers = spare_workers
        self.batches: list[list[tuple[str, int]]] = []
        self.started = threading.Semaphore(0)
        self.free = threading.Event()
        self.free.set()
        self.broken: set[str] = set()
        self.refused: set[str] = set()

    def batch_key(self, item: AudioWindow) -> int:
        return item.options.beam_size

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowResult | EngineRefused]:
        assert len({self.batch_key(one) for one in batch}) == 1
        self.batches.append([(one.stream, one.index) for one in batch])
        self.started.release()
        assert self.free.wait(PATIENCE_S)
        if any(one.stream in self.broken for one in batch):
            raise RuntimeError("out of memory")
        return [
            EngineRefused(EngineProblem.BAD_INPUT, "Damaged.")
            if one.stream in self.refused
            else WindowResult(one.index, (), "en", 1.0)
            for one in batch
        ]

    def rest(self) -> None: ...

    def close(self) -> None: ...

    async def busy(self) -> None:
        """Wait until a batch is running."""
        assert await asyncio.to_thread(self.started.acquire, timeout=PATIENCE_S)


@pytest.fixture
def engine() -> HeldEngine:
    return HeldEngine()


@pytest.fixture
async def batcher(engine: HeldEngine) -> AsyncIterator[SpeechBatcher]:
    limits = BatchLimits(max_batch=4, wait_ms=0, max_queued=100_000)
    made = Batcher(SPEECH, engine, limits)
    yield made
    engine.free.set()
    made.close()


async def held(engine: HeldEngine, batcher: SpeechBatcher) -> asyncio.Task[WindowResult]:
    """Keep the only worker busy, so that later items wait."""
    engine.free.clear()
    task = asyncio.create_task(batcher.submit(window("first")))
    await engine.busy()
    return task


async def submitted(batcher: SpeechBatcher, windows: Sequence[AudioWindow]) -> list[asyncio.Task[WindowResult]]:
    tasks = [asyncio.create_task(batcher.submit(one)) for one in windows]
    await asyncio.sleep(0)
    return tasks
