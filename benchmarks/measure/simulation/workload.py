"""The files of a day: when they arrive, how long they are, and the windows they are cut into."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

DAY_S = 86_400.0
HOUR_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How people use it. Lengths of files are lognormal with this mean and median, cut at `longest_s`.

    `peak` is the busiest moment's rate over the mean's; the rate swings once a day. `speech` is the share of sound that
    goes to the model, and `window_s` the mean length of its windows.
    """

    mean_file_s: float = 1_200.0
    median_file_s: float = 600.0
    longest_s: float = 4 * HOUR_S
    peak: float = 2.5
    speech: float = 0.8
    window_s: float = 24.0

    def rate_share(self, time_s: float) -> float:
        """The rate at this time of the day over the mean: lowest at midnight, `peak` at noon."""
        # exp(k cos) has the shape of a day.
        strength = _strength(self.peak)
        return math.exp(-strength * math.cos(2 * math.pi * time_s / DAY_S)) / _bessel(strength)


@dataclass(frozen=True, slots=True)
class FileArrival:
    """`windows` are seconds of sound for the model."""

    name: str
    due_s: float
    length_s: float
    windows: tuple[float, ...]


def files_of(hours_a_day: float, habits: Habits, *, start_s: float, seconds: float, seed: int) -> Iterator[FileArrival]:
    """The files that arrive from `start_s` of the day on; their times count from 0. A Poisson process by thinning."""
    chance = random.Random(seed)
    mean_s = _mean_of_cut(habits)
    rate = hours_a_day * HOUR_S / mean_s / DAY_S
    most = rate * habits.peak
    time, number = 0.0, 0
    while (time := time + chance.expovariate(most)) < seconds:
        if chance.random() * habits.peak > habits.rate_share(start_s + time):
            continue
        number += 1
        length = min(habits.longest_s, _length(habits, chance))
        yield FileArrival(f"file-{number}", time, length, tuple(_windows(length, habits, chance)))


def _length(habits: Habits, chance: random.Random) -> float:
    mu = math.log(habits.median_file_s)
    sigma = math.sqrt(max(0.0, 2 * (math.log(habits.mean_file_s) - mu)))
    return max(2.0, chance.lognormvariate(mu, sigma))


def _mean_of_cut(habits: Habits) -> float:
    """The mean length after the cut at `longest_s`, from the closed form of the lognormal's limited expectation."""
    mu = math.log(habits.median_file_s)
    sigma = math.sqrt(max(1e-9, 2 * (math.log(habits.mean_file_s) - mu)))
    bound = (math.log(habits.longest_s) - mu) / sigma
    return habits.mean_file_s * _normal(bound - sigma) + habits.longest_s * (1 - _normal(bound))


def _windows(length_s: float, habits: Habits, chance: random.Random) -> Iterator[float]:
    left = length_s * habits.speech
    while left > 0.5:
        # Windows end at pauses, somewhat below the 30 s that a model takes.
        window = min(left, 30.0, max(1.0, chance.gauss(habits.window_s, habits.window_s / 6)))
        yield window
        left -= window


@lru_cache
def _strength(peak: float) -> float:
    """The k at which the highest of exp(k cos) over its mean is `peak`, by halving."""
    low, high = 0.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.exp(middle) / _bessel(middle) < peak else (low, middle)
    return low


@lru_cache
def _bessel(strength: float) -> float:
    """The mean of exp(k cos) over a circle: the modified Bessel function of order 0."""
    term = total = 1.0
    for number in range(1, 200):
        term *= (strength / 2 / number) ** 2
        total += term
        if term < total * 1e-12:
            break
    return total


def _normal(value: float) -> float:
    return (1 + math.erf(value / math.sqrt(2))) / 2
