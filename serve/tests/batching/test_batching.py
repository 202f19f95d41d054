"""Which windows share a batch, and whose turn is next."""

from __future__ import annotations

import asyncio

from cluster.testing.patience import PATIENCE_S
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.task import SPEECH
from serve.testing.batches import MANY, HeldEngine, SpeechBatcher, held, submitted, window


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


async def test_free_workers_share_what_waits() -> None:
    engine = HeldEngine(parallel=2)
    batcher = Batcher(SPEECH, engine, BatchLimits(max_batch=8, wait_ms=10_000, max_queued=MANY))
    tasks = await submitted(batcher, [window(f"file-{n}", n) for n in range(8)])
    assert [result.index for result in await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE_S)] == list(range(8))
    assert sorted(map(len, engine.batches)) == [4, 4]
    batcher.close()


async def test_a_window_that_finds_all_workers_idle_does_not_wait_for_company() -> None:
    limits = BatchLimits(max_batch=8, wait_ms=60_000, max_queued=MANY)
    batcher = Batcher(SPEECH, HeldEngine(parallel=2), limits)
    assert (await asyncio.wait_for(batcher.submit(window("alone", 5)), PATIENCE_S)).index == 5
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
    await asyncio.wait_for(asyncio.gather(first, *tasks), PATIENCE_S)
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
