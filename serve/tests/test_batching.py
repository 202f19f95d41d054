"""The scheduler of a replica, with an engine whose speed the tests hold in their hands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import pytest

from serve.batching import BatchLimits, WindowBatcher
from serve.messages import AudioWindow, DecodeOptions, EngineProblem, EngineRefused, WindowResult

SECOND = b"\0\0" * 16_000


def window(stream: str, index: int = 0, *, options: DecodeOptions | None = None, seconds: int = 1) -> AudioWindow:
    return AudioWindow(stream, index, 0, SECOND * seconds, options or DecodeOptions())


def key_of(one: AudioWindow) -> int:
    return one.options.beam_size


class HeldEngine:
    """Notes every batch, and decodes none while it is held."""

    def __init__(self) -> None:
        self.batches: list[list[tuple[str, int]]] = []
        self.started = threading.Semaphore(0)
        self.free = threading.Event()
        self.free.set()
        self.broken: set[str] = set()
        self.refused: set[str] = set()

    def decode(self, batch: Sequence[AudioWindow]) -> list[WindowResult | EngineRefused]:
        assert len({key_of(one) for one in batch}) == 1
        self.batches.append([(one.stream, one.index) for one in batch])
        self.started.release()
        assert self.free.wait(20)
        if any(one.stream in self.broken for one in batch):
            raise RuntimeError("out of memory")
        return [
            EngineRefused(EngineProblem.BAD_AUDIO, "Damaged.")
            if one.stream in self.refused
            else WindowResult(one.index, (), "en", 1.0)
            for one in batch
        ]

    async def busy(self) -> None:
        """Wait until a batch is being decoded."""
        assert await asyncio.to_thread(self.started.acquire, timeout=20)


@pytest.fixture
def engine() -> HeldEngine:
    return HeldEngine()


@pytest.fixture
async def batcher(engine: HeldEngine) -> AsyncIterator[WindowBatcher]:
    limits = BatchLimits(max_batch=4, wait_ms=0, max_queued_s=100)
    made = WindowBatcher(engine.decode, key=key_of, limits=limits, workers=1)
    yield made
    engine.free.set()
    made.close()


async def held(engine: HeldEngine, batcher: WindowBatcher) -> asyncio.Task[WindowResult]:
    """Keep the only worker busy, so that what is submitted next waits."""
    engine.free.clear()
    task = asyncio.create_task(batcher.submit(window("first")))
    await engine.busy()
    return task


async def submitted(batcher: WindowBatcher, windows: Sequence[AudioWindow]) -> list[asyncio.Task[WindowResult]]:
    tasks = [asyncio.create_task(batcher.submit(one)) for one in windows]
    await asyncio.sleep(0)
    return tasks


async def test_windows_of_different_files_and_languages_share_a_batch(
    engine: HeldEngine, batcher: WindowBatcher
) -> None:
    first = await held(engine, batcher)
    languages = ["en", "is", None, "de"]
    windows = [window(f"file-{n}", n, options=DecodeOptions(language=code)) for n, code in enumerate(languages)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    results = await asyncio.gather(first, *tasks)
    assert engine.batches[1:] == [[(f"file-{n}", n) for n in range(4)]]
    assert [result.index for result in results[1:]] == [0, 1, 2, 3]


async def test_different_decode_options_never_share_a_batch(engine: HeldEngine, batcher: WindowBatcher) -> None:
    first = await held(engine, batcher)
    greedy, beam = DecodeOptions(beam_size=1), DecodeOptions(beam_size=5)
    windows = [window(f"file-{n}", n, options=beam if n % 2 else greedy) for n in range(4)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    await asyncio.gather(first, *tasks)
    # `decode` itself checks that a batch has one key.
    assert sorted(map(sorted, engine.batches[1:])) == [[("file-0", 0), ("file-2", 2)], [("file-1", 1), ("file-3", 3)]]


async def test_a_short_file_waits_for_one_batch_of_a_long_one_at_most(
    engine: HeldEngine, batcher: WindowBatcher
) -> None:
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("long", n) for n in range(40)])
    tasks += await submitted(batcher, [window("short", 0)])
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert ("short", 0) in engine.batches[1]
    assert [index for batch in engine.batches for stream, index in batch if stream == "long"] == list(range(40))


async def test_every_waiting_file_gets_a_turn_before_one_gets_a_second(
    engine: HeldEngine, batcher: WindowBatcher
) -> None:
    first = await held(engine, batcher)
    windows = [window(f"file-{file}", n) for file in range(6) for n in range(3)]
    tasks = await submitted(batcher, windows)
    engine.free.set()
    await asyncio.gather(first, *tasks)
    order = [stream for batch in engine.batches[1:] for stream, _ in batch]
    assert all(len(set(order[turn : turn + 6])) == 6 for turn in (0, 6, 12))


async def test_more_audio_than_may_wait_is_refused_and_told_when_to_come_again(
    engine: HeldEngine, batcher: WindowBatcher
) -> None:
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued_s=3)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("file", n) for n in range(3)])
    with pytest.raises(EngineRefused) as refused:
        await batcher.submit(window("other"))
    assert refused.value.problem is EngineProblem.OVERLOADED
    assert refused.value.retry_after_s is not None
    assert refused.value.retry_after_s > 0
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert batcher.queued_s == 0
    assert (await batcher.submit(window("other", 7))).index == 7


async def test_one_window_longer_than_the_bound_is_still_taken(engine: HeldEngine, batcher: WindowBatcher) -> None:
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued_s=3)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("file", seconds=5)])
    engine.free.set()
    assert len(await asyncio.gather(first, *tasks)) == 2


async def test_a_window_that_breaks_the_engine_fails_alone(engine: HeldEngine, batcher: WindowBatcher) -> None:
    engine.broken = {"bad"}
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("good", 1), window("bad", 2), window("fine", 3)])
    engine.free.set()
    outcomes = await asyncio.gather(first, *tasks, return_exceptions=True)
    assert [getattr(outcome, "index", None) for outcome in outcomes] == [0, 1, None, 3]
    assert isinstance(outcomes[2], EngineRefused)
    assert outcomes[2].problem is EngineProblem.MODEL_FAILED
    assert "out of memory" in outcomes[2].sentence


async def test_a_refused_window_leaves_its_neighbours_their_results(engine: HeldEngine, batcher: WindowBatcher) -> None:
    engine.refused = {"bad"}
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("good", 1), window("bad", 2)])
    engine.free.set()
    outcomes = await asyncio.gather(first, *tasks, return_exceptions=True)
    assert getattr(outcomes[1], "index", None) == 1
    assert isinstance(outcomes[2], EngineRefused)
    assert outcomes[2].problem is EngineProblem.BAD_AUDIO
    assert len(engine.batches) == 2


async def test_failures_are_counted_until_a_batch_works(engine: HeldEngine, batcher: WindowBatcher) -> None:
    engine.broken = {"bad"}
    for _ in range(3):
        with pytest.raises(EngineRefused):
            await batcher.submit(window("bad"))
    assert batcher.failures_in_a_row == 3
    await batcher.submit(window("good"))
    assert batcher.failures_in_a_row == 0


async def test_a_cancelled_window_is_never_decoded(engine: HeldEngine, batcher: WindowBatcher) -> None:
    first = await held(engine, batcher)
    kept, dropped = await submitted(batcher, [window("kept", 1), window("dropped", 2)])
    dropped.cancel()
    await asyncio.gather(dropped, return_exceptions=True)
    assert batcher.queued_s == 1
    engine.free.set()
    await asyncio.gather(first, kept)
    assert engine.batches == [[("first", 0)], [("kept", 1)]]


async def test_a_window_cancelled_while_it_is_decoded_disturbs_nobody(
    engine: HeldEngine, batcher: WindowBatcher
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


async def test_free_workers_share_what_waits(engine: HeldEngine) -> None:
    limits = BatchLimits(max_batch=8, wait_ms=10_000)
    batcher = WindowBatcher(engine.decode, key=key_of, limits=limits, workers=2)
    tasks = await submitted(batcher, [window(f"file-{n}", n) for n in range(8)])
    assert [result.index for result in await asyncio.wait_for(asyncio.gather(*tasks), 20)] == list(range(8))
    assert sorted(map(len, engine.batches)) == [4, 4]
    batcher.close()


async def test_a_window_that_finds_everyone_idle_does_not_wait_for_company(engine: HeldEngine) -> None:
    batcher = WindowBatcher(engine.decode, key=key_of, limits=BatchLimits(max_batch=8, wait_ms=60_000), workers=2)
    assert (await asyncio.wait_for(batcher.submit(window("alone", 5)), 20)).index == 5
    batcher.close()


async def test_while_one_worker_is_busy_an_incomplete_batch_waits_for_company_and_not_for_ever(
    engine: HeldEngine,
) -> None:
    batcher = WindowBatcher(engine.decode, key=key_of, limits=BatchLimits(max_batch=8, wait_ms=30), workers=2)
    first = await held(engine, batcher)
    tasks = await submitted(batcher, [window("a", 1)])
    tasks += await submitted(batcher, [window("b", 2)])
    assert len(engine.batches) == 1
    await engine.busy()
    assert engine.batches[1] == [("a", 1), ("b", 2)]
    engine.free.set()
    await asyncio.wait_for(asyncio.gather(first, *tasks), 20)
    batcher.close()


async def test_streams_that_cannot_join_a_batch_keep_their_place(engine: HeldEngine, batcher: WindowBatcher) -> None:
    """Two files with one key could serve each other for ever while a third, of another key, is passed over."""
    first = await held(engine, batcher)
    beam = DecodeOptions(beam_size=5)
    windows = [window(stream, n) for n in range(6) for stream in ("a", "c")]
    tasks = await submitted(batcher, [window("a", 6), window("b", 0, options=beam), window("c", 6), *windows])
    engine.free.set()
    await asyncio.gather(first, *tasks)
    assert engine.batches[2] == [("b", 0)]


async def test_each_refused_caller_is_told_a_later_time(engine: HeldEngine, batcher: WindowBatcher) -> None:
    """At 1 s of audio a second, what the first leaves room for is not there twice."""
    batcher.limits = BatchLimits(max_batch=4, wait_ms=0, max_queued_s=4)
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


async def test_closing_refuses_what_waits(engine: HeldEngine, batcher: WindowBatcher) -> None:
    first = await held(engine, batcher)
    (waiting,) = await submitted(batcher, [window("late")])
    batcher.close()
    with pytest.raises(EngineRefused) as refused:
        await waiting
    assert refused.value.retry_after_s is not None
    engine.free.set()
    assert (await first).index == 0


async def test_a_file_with_nothing_at_work_does_not_wait_for_a_busy_worker(engine: HeldEngine) -> None:
    limits = BatchLimits(max_batch=4, wait_ms=0, max_queued_s=100)
    batcher = WindowBatcher(engine.decode, key=key_of, limits=limits, workers=1, guests=1)
    engine.free.clear()
    tasks = [asyncio.create_task(batcher.submit(window("long", 0)))]
    await engine.busy()
    tasks += [asyncio.create_task(batcher.submit(window("long", index))) for index in (1, 2)]
    tasks += [asyncio.create_task(batcher.submit(window(stream))) for stream in ("short", "shorter")]
    await engine.busy()
    # There is one place for guests, which both share; a third who comes now waits, and so does the long file.
    tasks.append(asyncio.create_task(batcher.submit(window("late"))))
    await asyncio.sleep(0.05)
    assert engine.batches == [[("long", 0)], [("short", 0), ("shorter", 0)]]
    engine.free.set()
    await asyncio.gather(*tasks)
    assert sorted(one for batch in engine.batches[2:] for one in batch) == [("late", 0), ("long", 1), ("long", 2)]
    batcher.close()
