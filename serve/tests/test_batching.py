"""The scheduler of a replica, with an engine whose speed the tests control."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias

import pytest

from serve.batching import Batcher, BatchLimits
from serve.messages import EngineInfo, EngineProblem, EngineRefused
from serve.speech_messages import AudioWindow, DecodeOptions, WindowResult
from serve.transcription.task import SPEECH

SECOND = b"\0\0" * 16_000
MANY = 600_000

SpeechBatcher: TypeAlias = Batcher[AudioWindow, WindowResult]


def window(stream: str, index: int = 0, *, options: DecodeOptions | None = None, seconds: int = 1) -> AudioWindow:
    return AudioWindow(stream, index, 0, SECOND * seconds, options or DecodeOptions())


class HeldEngine:
    """Records every batch, and runs none while it is held."""

    info = EngineInfo("transcription", "held", "", "cpu", "Test.")
    gains_from_batches = True

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
        assert self.free.wait(20)
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
        assert await asyncio.to_thread(self.started.acquire, timeout=20)


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


async def test_windows_of_different_files_and_languages_share_a_batch(
    engine: HeldEngine, batcher: SpeechBatcher
) -> None:
    first = await held(engine, batcher)
    languages = ["en", "is", None, "de"]
    windows = [window(f"file-{n}", n, options=DecodeOptions(language=code)) for n, code in enumerate(languages)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    results = await asyncio.gather(first, *tasks)
    assert engine.batches[1:] == [[(f"file-{n}", n) for n in range(4)]]
    assert [result.index for result in results[1:]] == [0, 1, 2, 3]


async def test_different_decode_options_never_share_a_batch(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    first = await held(engine, batcher)
    greedy, beam = DecodeOptions(beam_size=1), DecodeOptions(beam_size=5)
    windows = [window(f"file-{n}", n, options=beam if n % 2 else greedy) for n in range(4)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    await asyncio.gather(first, *tasks)
    # `run` itself checks that a batch has one key.
    assert sorted(map(sorted, engine.batches[1:])) == [[("file-0", 0), ("file-2", 2)], [("file-1", 1), ("file-3", 3)]]


async def test_a_short_file_waits_for_one_batch_of_a_long_one_at_most(
    engine: HeldEngine, batcher: SpeechBatcher
) -> None:
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("long", n) for n in range(40)])
    tasks += await submitted(batcher, [window("short", 0)])
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert ("short", 0) in engine.batches[1]
    assert [index for batch in engine.batches for stream, index in batch if stream == "long"] == list(range(40))


async def test_every_waiting_file_gets_a_turn_before_one_gets_a_second(
    engine: HeldEngine, batcher: SpeechBatcher
) -> None:
    first = await held(engine, batcher)
    windows = [window(f"file-{file}", n) for file in range(6) for n in range(3)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    await asyncio.gather(first, *tasks)
    order = [stream for batch in engine.batches[1:] for stream, _ in batch]
    assert all(len(set(order[turn : turn + 6])) == 6 for turn in (0, 6, 12))


async def test_more_audio_than_may_wait_is_refused_with_a_time_to_retry(
    engine: HeldEngine, batcher: SpeechBatcher
) -> None:
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued=3_000)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("file", n) for n in range(3)])
    with pytest.raises(EngineRefused) as refused:
        await batcher.submit(window("other"))
    assert refused.value.problem is EngineProblem.OVERLOADED
    assert refused.value.retry_after_s is not None
    assert refused.value.retry_after_s > 0
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert batcher.queued == 0
    assert (await batcher.submit(window("other", 7))).index == 7


async def test_one_window_longer_than_the_bound_is_still_taken(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued=3_000)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("file", seconds=5)])
    engine.free.set()
    assert len(await asyncio.gather(first, *tasks)) == 2


async def test_a_window_that_breaks_the_engine_fails_alone(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    engine.broken = {"bad"}
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("good", 1), window("bad", 2), window("fine", 3)])
    engine.free.set()
    outcomes = await asyncio.gather(first, *tasks, return_exceptions=True)
    assert [getattr(outcome, "index", None) for outcome in outcomes] == [0, 1, None, 3]
    assert isinstance(outcomes[2], EngineRefused)
    assert outcomes[2].problem is EngineProblem.MODEL_FAILED
    assert "out of memory" in outcomes[2].sentence


async def test_a_refused_window_leaves_its_neighbours_their_results(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    engine.refused = {"bad"}
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("good", 1), window("bad", 2)])
    engine.free.set()
    outcomes = await asyncio.gather(first, *tasks, return_exceptions=True)
    assert getattr(outcomes[1], "index", None) == 1
    assert isinstance(outcomes[2], EngineRefused)
    assert outcomes[2].problem is EngineProblem.BAD_INPUT
    assert len(engine.batches) == 2


async def test_failures_are_counted_until_a_batch_works(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    engine.broken = {"bad"}
    for _ in range(3):
        with pytest.raises(EngineRefused):
            await batcher.submit(window("bad"))
    assert batcher.failures_in_a_row == 3
    await batcher.submit(window("good"))
    assert batcher.failures_in_a_row == 0


async def test_a_cancelled_window_is_never_decoded(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    first = await held(engine, batcher)
    kept, dropped = await submitted(batcher, [window("kept", 1), window("dropped", 2)])
    dropped.cancel()
    await asyncio.gather(dropped, return_exceptions=True)
    assert batcher.queued == 1000
    engine.free.set()
    await asyncio.gather(first, kept)
    assert engine.batches == [[("first", 0)], [("kept", 1)]]


async def test_a_window_cancelled_while_it_is_decoded_disturbs_nobody(
    engine: HeldEngine, batcher: SpeechBatcher
) -> None:
    first = await held(engine, batcher)
    kept, dropped = await submitted(batcher, [window("kept", 1), window("dropped", 2)])
    engine.free.set()
    await first
    engine.free.clear()
    await engine.busy()
    dropped.cancel()
    engine.free.set()
    assert (await kept).index == 1
    assert dropped.cancelled() or (await asyncio.gather(dropped, return_exceptions=True))[0] is not None
    assert (await batcher.submit(window("next", 3))).index == 3


async def test_free_workers_share_what_waits() -> None:
    engine = HeldEngine(parallel=2)
    batcher = Batcher(SPEECH, engine, BatchLimits(max_batch=8, wait_ms=10_000, max_queued=MANY))
    tasks = await submitted(batcher, [window(f"file-{n}", n) for n in range(8)])
    assert [result.index for result in await asyncio.wait_for(asyncio.gather(*tasks), 20)] == list(range(8))
    assert sorted(map(len, engine.batches)) == [4, 4]
    batcher.close()


async def test_a_window_that_finds_all_workers_idle_does_not_wait_for_company() -> None:
    limits = BatchLimits(max_batch=8, wait_ms=60_000, max_queued=MANY)
    batcher = Batcher(SPEECH, HeldEngine(parallel=2), limits)
    assert (await asyncio.wait_for(batcher.submit(window("alone", 5)), 20)).index == 5
    batcher.close()


async def test_while_one_worker_is_busy_an_incomplete_batch_waits_for_company_and_not_forever() -> None:
    engine = HeldEngine(parallel=2)
    batcher = Batcher(SPEECH, engine, BatchLimits(max_batch=8, wait_ms=30, max_queued=MANY))
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("a", 1)])
    tasks += await submitted(batcher, [window("b", 2)])
    assert len(engine.batches) == 1
    await engine.busy()
    assert engine.batches[1] == [("a", 1), ("b", 2)]
    engine.free.set()
    await asyncio.wait_for(asyncio.gather(first, *tasks), 20)
    batcher.close()


async def test_streams_that_cannot_join_a_batch_keep_their_turn(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    """Two files with one key could alternate forever while a third, with another key, never gets its turn."""
    first = await held(engine, batcher)
    beam = DecodeOptions(beam_size=5)
    windows = [window(stream, n) for n in range(6) for stream in ("a", "c")]
    tasks = await submitted(batcher, [window("a", 6), window("b", 0, options=beam), window("c", 6), *windows])
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert engine.batches[2] == [("b", 0)]


async def test_each_refused_caller_gets_a_later_time(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    """At 1 s of audio a second, the room that becomes free for the first caller is not free for the second."""
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued=4_000)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("file", n, seconds=2) for n in range(2)])
    times = []
    for _ in range(3):
        with pytest.raises(EngineRefused) as refused:
            await batcher.submit(window("other", seconds=2))
        times.append(refused.value.retry_after_s)
    assert times == [pytest.approx(2, abs=0.2), pytest.approx(4, abs=0.2), pytest.approx(6, abs=0.2)]
    engine.free.set()
    await asyncio.gather(first, *tasks)


async def test_closing_refuses_what_waits(engine: HeldEngine, batcher: SpeechBatcher) -> None:
    first = await held(engine, batcher)
    (waiting,) = await submitted(batcher, [window("late")])
    batcher.close()
    with pytest.raises(EngineRefused) as refused:
        await waiting
    assert refused.value.retry_after_s is not None
    engine.free.set()
    assert (await first).index == 0


async def test_a_file_with_nothing_running_does_not_wait_for_a_busy_worker() -> None:
    engine = HeldEngine(spare_workers=1)
    batcher = Batcher(SPEECH, engine, BatchLimits(max_batch=4, wait_ms=0, max_queued=MANY))
    engine.free.clear()
    tasks = [asyncio.create_task(batcher.submit(window("long", 0)))]
    await engine.busy()
    tasks += [asyncio.create_task(batcher.submit(window("long", index))) for index in (1, 2)]
    tasks += [asyncio.create_task(batcher.submit(window(stream))) for stream in ("short", "shorter")]
    await engine.busy()
    # Both files share the one spare worker; a third file waits now, and so does the long one.
    tasks.append(asyncio.create_task(batcher.submit(window("late"))))
    await asyncio.sleep(0.05)
    assert engine.batches == [[("long", 0)], [("short", 0), ("shorter", 0)]]
    engine.free.set()
    await asyncio.gather(*tasks)
    assert sorted(one for batch in engine.batches[2:] for one in batch) == [("late", 0), ("long", 1), ("long", 2)]
    batcher.close()
