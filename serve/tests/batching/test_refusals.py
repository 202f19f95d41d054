"""What a full, closed or failing scheduler refuses, and whom a cancelled window disturbs."""

from __future__ import annotations

import asyncio

import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica_messages import BatchLimits
from serve.testing.batches import HeldEngine, SpeechBatcher, held, submitted, window


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
