"""When a call counts as stuck: by the pace of the calls before it, not by the clock alone."""

from __future__ import annotations

from serve.patience import CALL_COST_S, FACTOR, FIRST_PACE, SHORTEST_S, Patience


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_a_call_far_beyond_the_pace_of_those_before_it_is_stuck() -> None:
    clock = Clock()
    patience = Patience(clock)
    with patience.watch(audio_s=30):
        clock.time += 10 * (30 + CALL_COST_S) * SHORTEST_S / 100
    slowest = 10 * SHORTEST_S / 100
    with patience.watch(audio_s=60, windows=2):
        clock.time += FACTOR * slowest * (60 + 2 * CALL_COST_S) - 1
        assert patience.stuck_s() is None
        clock.time += 2
        assert patience.stuck_s() == FACTOR * slowest * (60 + 2 * CALL_COST_S) + 1
    assert patience.stuck_s() is None


def test_quick_calls_do_not_make_it_hasty() -> None:
    clock = Clock()
    patience = Patience(clock)
    with patience.watch(audio_s=30):
        clock.time += 0.01
    with patience.watch(audio_s=1):
        clock.time += SHORTEST_S - 1
        assert patience.stuck_s() is None
        clock.time += 2
        assert patience.stuck_s() is not None


def test_the_first_call_may_load_and_compile() -> None:
    clock = Clock()
    patience = Patience(clock)
    with patience.watch(audio_s=30):
        clock.time += FACTOR * FIRST_PACE * (30 + CALL_COST_S) - 1
        assert patience.stuck_s() is None


def test_a_call_that_failed_ends_too() -> None:
    clock = Clock()
    patience = Patience(clock)
    try:
        with patience.watch(audio_s=1):
            raise ValueError
    except ValueError:
        clock.time += 1e6
    assert patience.stuck_s() is None


def test_one_stuck_call_beside_others_is_seen() -> None:
    clock = Clock()
    patience = Patience(clock)
    with patience.watch(audio_s=30):
        clock.time += 1
    with patience.watch(audio_s=1):
        for _ in range(30):
            with patience.watch(audio_s=30):
                clock.time += 1
        assert patience.stuck_s() == 30
