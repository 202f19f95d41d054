"""The simulation: the product's own batches, known queues, failures, autoscaling, and what it says to buy."""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import replace

import pytest

from benchmarks.measure.load.arrivals import Arrival, poisson
from benchmarks.measure.load.curves import Point, ServiceCurve
from benchmarks.measure.simulation.clock import Clock
from benchmarks.measure.simulation.day import Day, Installation, simulate
from benchmarks.measure.simulation.fleet import Failures, Scaling
from benchmarks.measure.simulation.page import Costs, to_buy
from benchmarks.measure.simulation.plan import Question, capacity, plan
from benchmarks.measure.simulation.replay import Outage, agreements, replayed
from benchmarks.measure.simulation.replica import Replica, Service, Window
from benchmarks.measure.simulation.traces import PEAK, Trace, arrivals_of
from benchmarks.measure.simulation.workload import DAY_S, HOUR_S, FileArrival, Habits, files_of
from benchmarks.tests.load.made import CLIPS
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.task import SPEECH
from serve.testing.batches import HeldEngine, window

LIMITS = BatchLimits(max_batch=4, max_queued=10**9, wait_ms=0)


def service(call_s: float = 1.0, *, per_window_s: float = 0.0, workers: int = 1) -> Service:
    points = tuple(
        Point(batch=batch, window_s=30, calls=1, median_s=seconds, p10_s=seconds, p90_s=seconds)
        for batch in (1, 2, 4)
        for seconds in [call_s + per_window_s * batch]
    )
    curve = ServiceCurve(
        engine="whisper",
        model="tiny",
        device="cuda",
        compute_type="float16",
        beam_size=1,
        threads=1,
        load_s=5,
        beside=workers,
        points=points,
    )
    return Service((curve,), workers, 0)


def installation(**more: object) -> Installation:
    base = Installation(service(0.5, per_window_s=0.25), LIMITS, cores=64, ingest_core_s=8.0, in_flight=8)
    return replace(base, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(8))
async def test_it_makes_the_batches_that_the_scheduler_makes(seed: int) -> None:
    chance = random.Random(seed)
    items = [(f"file-{chance.randrange(5)}", number, chance.choice((1, 1, 2))) for number in range(30)]
    engine = HeldEngine()
    batcher = Batcher(SPEECH, engine, LIMITS)
    options = {beams: DecodeOptions(beam_size=beams) for beams in (1, 2)}
    await asyncio.gather(
        *(batcher.submit(window(name, number, options=options[beams])) for name, number, beams in items)
    )
    batcher.close()

    clock, batches = Clock(), []
    numbers: dict[int, tuple[str, int]] = {}

    def record(batch: object) -> None:
        batches.append([numbers[id(one)] for one in batch])  # type: ignore[attr-defined]

    replica = Replica(clock, service(), LIMITS, record=record)
    waiting = [Window(name, 1.0, beams, lambda: None, lambda: None) for name, _, beams in items]
    for one, (name, number, _) in zip(waiting, items, strict=True):
        numbers[id(one)] = (name, number)
        replica.submit(one)
    clock.run()
    assert batches == engine.batches


@pytest.mark.long
def test_one_worker_without_batches_is_a_queue_that_theory_knows() -> None:
    # M/D/1 at a load of 0.6: the mean wait is rho / (2 (1 - rho)) service times (Pollaczek and Khinchine).
    arrivals = poisson(0.6, 40_000, 1, seed=2)
    latencies = replayed(arrivals, CLIPS, service(1.0), replace(LIMITS, max_batch=1))
    assert sum(latencies) / len(latencies) == pytest.approx(1 + 0.6 / (2 * 0.4), rel=0.06)


def test_a_replay_compares_mean_and_quantiles() -> None:
    latencies = replayed([Arrival(0.0, 0), Arrival(0.1, 1)], CLIPS, service(1.0), replace(LIMITS, max_batch=1))
    assert latencies == pytest.approx([1.0, 1.9])
    same, *_ = agreements([1.0, 2.0], [1.1, 2.2])
    assert same.is_near
    assert not agreements([1.0, 2.0], [2.0, 3.0])[0].is_near


def test_a_replay_knows_the_way_to_the_replica_and_back() -> None:
    (alone,) = replayed([Arrival(0.0, 0)], CLIPS, service(1.0), LIMITS, path_s=0.2)
    assert alone == pytest.approx(1.2)


def test_what_a_dead_replica_held_is_sent_again_and_what_comes_meanwhile_waits() -> None:
    arrivals = [Arrival(0.0, 0), Arrival(1.5, 0), Arrival(3.0, 0), Arrival(9.0, 0)]
    outage = Outage(at_s=2.0, lasts_s=4.0)
    done, lost, held, later = replayed(arrivals, CLIPS, service(1.0), replace(LIMITS, max_batch=1), outage=outage)
    assert done == pytest.approx(1.0)
    # Both wait for the next replica, which comes after 6 s; the one that was lost is the second to be sent again.
    assert sorted([lost + 1.5, held + 3.0]) == pytest.approx([7.0, 8.0])
    assert later == pytest.approx(1.0)


def test_a_peak_has_more_arrivals_in_its_middle_third() -> None:
    arrivals = arrivals_of(Trace.PEAK, 20, 90, 3, seed=4)
    assert arrivals == sorted(arrivals, key=lambda arrival: arrival.due_s)
    thirds = [sum(30 * number <= arrival.due_s < 30 * (number + 1) for arrival in arrivals) for number in range(3)]
    assert thirds[1] / (thirds[0] + thirds[2]) == pytest.approx(PEAK / 2, rel=0.15)
    assert arrivals_of(Trace.FAILURES, 20, 90, 3, seed=4) == arrivals_of(Trace.CALM, 20, 90, 3, seed=4)


@pytest.mark.long
def test_a_day_has_its_hours_its_peak_and_its_windows() -> None:
    habits = Habits(peak=2.5)
    files = list(files_of(2_000, habits, start_s=0, seconds=DAY_S, seed=1))
    assert sum(file.length_s for file in files) / HOUR_S == pytest.approx(2_000, rel=0.05)
    noon = [file for file in files if abs(file.due_s - DAY_S / 2) < HOUR_S]
    assert len(noon) / len(files) * 12 == pytest.approx(2.5, rel=0.1)
    assert all(0 < seconds <= 30 for file in files for seconds in file.windows)
    spoken = sum(sum(file.windows) for file in files)
    assert spoken / sum(file.length_s for file in files) == pytest.approx(0.8, rel=0.01)
    shares = [habits.rate_share(hour * HOUR_S) for hour in range(24)]
    assert sum(shares) / 24 == pytest.approx(1.0, rel=0.01)
    assert max(shares) == pytest.approx(2.5, rel=0.01)


def files(count: int, every_s: float, windows: int = 4) -> list[FileArrival]:
    return [FileArrival(f"file-{n}", n * every_s, 30.0 * windows, (30.0,) * windows) for n in range(count)]


def ran(arrivals: list[FileArrival], scaling: Scaling, failures: Failures | None = None) -> Day:
    return simulate(arrivals, installation(), scaling, failures or Failures(), speed=80.0, replicas=1)


def test_every_file_ends_although_replicas_fail() -> None:
    day = ran(files(600, 3.0), Scaling(2, 2, start_s=30.0), Failures(mtbf_h=0.05, detect_s=15.0))
    assert day.failures > 5
    assert day.files == 600
    assert math.isfinite(day.all_captions.p99)
    calm = ran(files(600, 3.0), Scaling(2, 2, start_s=30.0))
    assert calm.failures == 0
    assert calm.all_captions.p99 < day.all_captions.p99


def test_autoscaling_follows_the_load_and_costs_less_than_its_most() -> None:
    busy, quiet = files(400, 0.5), [replace(one, due_s=one.due_s + 400) for one in files(40, 60.0)]
    scaled = ran([*busy, *quiet], Scaling(1, 6, start_s=10.0, idle_s=60.0))
    alone = ran([*busy, *quiet], Scaling(1, 1))
    assert 1 < scaled.most_replicas <= 6
    assert scaled.all_captions.p95 < alone.all_captions.p95
    hours = max(one.due_s for one in quiet) / HOUR_S
    assert hours < scaled.replica_h < 4 * hours


def question() -> Question:
    # Files are ingested at once, so that the model alone decides.
    return Question(installation(ingest_core_s=0.0), Habits(), Failures(), Scaling(1, 1, start_s=60.0), 30.0, 3_000)


@pytest.mark.long
def test_more_replicas_carry_more_and_a_plan_says_what_to_buy() -> None:
    one, two = capacity(question(), 1), capacity(question(), 2)
    assert 0 < one < two
    small, large = plan(question(), one / 4), plan(question(), 6 * one)
    assert small.replicas == 1
    assert large.replicas >= 5
    assert small.is_met
    sentence = to_buy(large, Costs(gpus=0.5, price=2.0))
    assert f"{math.ceil(large.replicas / 2)} GPUs for {large.replicas} replicas" in sentence
    assert "GPU hours a day" in sentence


def test_a_volume_without_files_is_refused() -> None:
    with pytest.raises(ValueError, match="raise the hours"):
        ran([], Scaling(1, 1))
