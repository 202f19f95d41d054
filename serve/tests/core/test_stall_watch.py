"""A call counts as stuck by the pace of earlier calls, not by the clock alone."""

from __future__ import annotations

from serve.core.replica.stall_watch import FACTOR, RECENT_CALLS, SHORTEST_S, StallWatch

OVERHEAD = 10
FIRST_PACE = 2.0


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_a_call_far_beyond_the_pace_of_those_before_it_is_stuck() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    with stalls.watch(cost=30):
        clock.time += 10 * (30 + OVERHEAD) * SHORTEST_S / 100
    slowest = 10 * SHORTEST_S / 100
    with stalls.watch(cost=60, items=2):
        clock.time += FACTOR * slowest * (60 + 2 * OVERHEAD) - 1
        assert stalls.stuck_s() is None
        clock.time += 2
        assert stalls.stuck_s() == FACTOR * slowest * (60 + 2 * OVERHEAD) + 1
    assert stalls.stuck_s() is None


def test_quick_calls_do_not_make_it_impatient() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    with stalls.watch(cost=30):
        clock.time += 0.01
    with stalls.watch(cost=1):
        clock.time += SHORTEST_S - 1
        assert stalls.stuck_s() is None
        clock.time += 2
        assert stalls.stuck_s() is not None


def test_the_first_call_may_load_and_compile() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    with stalls.watch(cost=30):
        clock.time += FACTOR * FIRST_PACE * (30 + OVERHEAD) - 1
        assert stalls.stuck_s() is None


def test_a_call_that_failed_ends_too() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    try:
        with stalls.watch(cost=1):
            raise ValueError
    except ValueError:
        clock.time += 1e6
    assert stalls.stuck_s() is None


def test_one_stuck_call_beside_others_is_seen() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    with stalls.watch(cost=30):
        clock.time += 1
    with stalls.watch(cost=1):
        for _ in range(30):
            with stalls.watch(cost=30):
                clock.time += 1
        assert stalls.stuck_s() == 30


def test_a_call_that_was_slow_long_ago_allows_no_slow_one_now() -> None:
    clock = Clock()
    stalls = StallWatch(slowest_speed=1 / FIRST_PACE, call_overhead=OVERHEAD, now=clock)
    with stalls.watch(cost=1):
        clock.time += 1000
    for _ in range(RECENT_CALLS):
        with stalls.watch(cost=1):
            clock.time += 0.01
    with stalls.watch(cost=1):
        clock.time += SHORTEST_S + 1
        assert stalls.stuck_s() is not None
