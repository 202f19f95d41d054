"""Arrivals that nothing can slow, callers that wait or leave, and what their requests say."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks.measure.load.arrivals import Arrival, poisson
from benchmarks.measure.load.callers import Callers, OnRefusal
from benchmarks.measure.load.figures import backlog, figures_of
from benchmarks.measure.load.request import Ending
from benchmarks.tests.load.made import CLIPS, Gate, Refusing, answered
from cluster.testing.patience import PATIENCE_S


def test_arrivals_are_a_poisson_process_that_the_seed_decides() -> None:
    arrivals = poisson(50, 200, 3, seed=4)
    assert arrivals == poisson(50, 200, 3, seed=4)
    assert arrivals != poisson(50, 200, 3, seed=5)
    assert 9_500 < len(arrivals) < 10_500
    gaps = [later.due_s - earlier.due_s for earlier, later in pairwise(arrivals)]
    assert min(gaps) > 0
    mean = sum(gaps) / len(gaps)
    # The gaps of a Poisson process deviate by their mean.
    assert sum((gap - mean) ** 2 for gap in gaps) / len(gaps) == pytest.approx(mean**2, rel=0.1)
    assert {arrival.clip for arrival in arrivals} == {0, 1, 2}


async def test_a_server_that_answers_nobody_does_not_stop_the_arrivals() -> None:
    arrivals = [Arrival(index / 1000, index % 3) for index in range(40)]
    # It answers when all forty are there: callers that waited for each other would never get an answer.
    gate = Gate(40)
    requests = await Callers(gate, CLIPS, patience_s=PATIENCE_S).arrive(arrivals)
    assert gate.most == 40
    assert [one.ending for one in requests] == [Ending.DONE] * 40
    assert [one.due_s for one in requests] == [arrival.due_s for arrival in arrivals]
    assert sum(one.audio_s for one in requests) == sum(CLIPS[arrival.clip].seconds for arrival in arrivals)


async def test_callers_who_take_turns_are_never_more_than_they_are() -> None:
    gate = Gate(5)
    requests = await Callers(gate, CLIPS, patience_s=PATIENCE_S).take_turns(5, 0.05)
    assert gate.most == 5
    assert len(requests) >= 5


async def test_refused_callers_come_back_or_leave() -> None:
    arrivals = [Arrival(0.0, 0)] * 3
    waiting = await Callers(Refusing(2), CLIPS, patience_s=PATIENCE_S).arrive(arrivals)
    assert [(one.ending, one.refusals) for one in waiting] == [(Ending.DONE, 2)] * 3
    leaving = await Callers(Refusing(2), CLIPS, on_refusal=OnRefusal.COUNT).arrive(arrivals)
    assert [(one.ending, one.refusals, one.problem) for one in leaving] == [(Ending.REFUSED, 1, "HTTP 429")] * 3
    never = await Callers(Refusing(10**9), CLIPS, patience_s=0.05).arrive(arrivals[:1])
    assert never[0].ending is Ending.REFUSED


async def test_errors_and_missing_answers_are_told_apart() -> None:
    failed, done = await Callers(Refusing(0, failing=[0]), CLIPS).arrive([Arrival(0.0, 0)] * 2)
    assert (failed.ending, failed.problem) == (Ending.FAILED, "HTTP 500: broken")
    assert done.ending is Ending.DONE
    (unfinished,) = await Callers(Gate(2), CLIPS, patience_s=0.05).arrive([Arrival(0.0, 0)])
    assert unfinished.ending is Ending.UNFINISHED
    assert unfinished.latency_s == float("inf")


def test_figures_leave_out_the_warm_up() -> None:
    warm_up = [answered(index / 10, 9.0) for index in range(100)]
    measured = [answered(10 + index / 10, 0.5 if index % 10 else 2.0, audio_s=3.0) for index in range(400)]
    figures = figures_of([*warm_up, *measured], warm_up_s=10, seconds=40)
    assert figures.requests == 400
    assert figures.offered == 10
    assert figures.latencies == {"p50": 0.5, "p95": 2.0, "p99": 2.0}
    # Nine warm-up requests end in the measured time, and as many measured ones after it or less.
    assert 9.5 < figures.achieved < 12.5
    assert figures.endings == {"done": 400}


def test_too_few_requests_give_no_high_quantile() -> None:
    figures = figures_of([answered(index, 1.0) for index in range(20)], warm_up_s=0, seconds=25)
    assert figures.latencies == {"p50": 1.0, "p95": None, "p99": None}
    with pytest.raises(ValueError, match="raise the rate"):
        figures_of([], warm_up_s=0, seconds=10)


def test_requests_without_an_answer_count_as_the_slowest() -> None:
    requests = [answered(index / 10, 0.2) for index in range(90)]
    requests += [answered(9 + index / 10, 60.0, ending=Ending.UNFINISHED) for index in range(10)]
    figures = figures_of(requests, warm_up_s=0, seconds=10)
    assert figures.latencies["p95"] == float("inf")
    assert figures.endings == {"done": 90, "unfinished": 10}


def test_a_backlog_that_grows_is_not_steady() -> None:
    steady = [answered(index / 10, 0.5) for index in range(400)]
    assert figures_of(steady, warm_up_s=5, seconds=30).is_steady
    growing = [answered(index / 10, index / 20) for index in range(400)]
    doubts = figures_of(growing, warm_up_s=5, seconds=30).doubts
    assert "above the capacity" in doubts[0]
    assert backlog([answered(0, 2), answered(1, 5)], [0.5, 1.5, 3.0, 7.0]) == [1, 2, 1, 0]


def test_late_callers_are_named() -> None:
    from dataclasses import replace

    late = [replace(answered(index / 10, 0.5), sent_s=index / 10 + 0.3) for index in range(400)]
    (doubt,) = figures_of(late, warm_up_s=5, seconds=30).doubts
    assert "300 ms late" in doubt
