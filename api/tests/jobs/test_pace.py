"""The estimate of the time an attempt will still take, and when there is none."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from api.platform.jobs.attempts import pace
from api.platform.jobs.attempts.pace import DOUBT, DOUBT_S, WINDOW_S, Pace
from pipelines.messages.attempt import Progress

Said = Callable[[float, int], int | None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    # Not the clock of `time` itself: event loops in other threads of this process, such as that of a stand-in, would
    # read it too, and one that begins to wait meanwhile waits for hours.
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def said_by(pace: Pace, clock: list[float]) -> Said:
    """The estimate this many seconds later, with this much of 100,000 done."""

    def after(seconds: float, done: int) -> int | None:
        clock[0] += seconds
        return pace.eta_s(Progress("transcribing", done, 100_000, "audio_ms"))

    return after


def test_the_estimate_follows_from_the_pace_so_far(clock: list[float]) -> None:
    after = said_by(Pace(), clock)
    assert after(0, 20_000) is None
    assert after(1, 30_000) is None, "a second is too short to tell"
    assert after(3, 60_000) == 4, "40 s in 4 s, so 40 s more take 4 s"


def test_recent_jobs_give_the_first_estimate(clock: list[float]) -> None:
    after = said_by(Pace(expected_s=50), clock)
    assert after(0, 0) == 50
    assert after(10, 0) == 40
    assert after(45, 0) is None, "it should be over by now"


def test_the_estimate_never_grows_and_disappears_once_it_is_wrong(clock: list[float]) -> None:
    after = said_by(Pace(), clock)
    after(0, 0)
    first = after(10, 50_000)
    assert first == 10
    assert after(5, 55_000) == first, "a little slower: what was said stands"
    slower = after(30, 56_000)
    assert slower is None, f"35 s for 6 %: far more than {DOUBT} x {first} + {DOUBT_S}"
    assert after(5, 99_000) is not None, "nearly done, so something true can be said again"


def test_work_of_an_earlier_attempt_does_not_count_for_the_pace(clock: list[float]) -> None:
    after = said_by(Pace(), clock)
    after(0, 0)
    after(0.1, 80_000)
    for _ in range(int(WINDOW_S) // 10 + 1):
        told = after(10, 80_000 + int((clock[0] - 100) * 100))
    assert told is not None
    left = 100_000 - 80_000 - int((clock[0] - 100) * 100)
    assert told == pytest.approx(left / 100, rel=0.1)
