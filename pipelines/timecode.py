"""Time addresses of frames. Source: SMPTE ST 12-1."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)([:;.])(\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Counting:
    """How frames are numbered: `base` to a second, 30 for 29.97.

    With `drop` the first numbers of each minute but every tenth are left out, two at 30 and four at 60, so that an
    hour of 29.97 frames a second is an hour of the clock.
    """

    base: int
    drop: bool = False

    @property
    def dropped(self) -> int:
        return self.base // 15 if self.drop and self.base % 30 == 0 else 0

    def number(self, hours: int, minutes: int, seconds: int, frames: int) -> int:
        """The frame of an address, counted from the address of zeros."""
        whole = hours * 60 + minutes
        return (whole * 60 + seconds) * self.base + frames - self.dropped * (whole - whole // 10)

    def address(self, number: int) -> str:
        """The address of a frame; after a day it begins again."""
        dropped, base = self.dropped, self.base
        ten_minutes = base * 600 - 9 * dropped
        tens, rest = divmod(number % (ten_minutes * 6 * 24), ten_minutes)
        number = tens * base * 600 + rest
        if dropped and rest >= base * 60:
            number += dropped * (1 + (rest - base * 60) // (base * 60 - dropped))
        seconds, frames = divmod(number, base)
        sign = ";" if dropped else ":"
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{sign}{frames:02}"


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a time address, and whether its sign says that numbers are left out."""

    hours: int
    minutes: int
    seconds: int
    frames: int
    drop: bool

    def at(self, counting: Counting, own_base: int) -> int:
        """The frame of this address in another counting; `own_base` is how many frames its own second has."""
        frames = min(counting.base - 1, round(self.frames * counting.base / own_base))
        return counting.number(self.hours, self.minutes, self.seconds, frames)


def address_of(text: str) -> Address | None:
    """The address in a text; None if it is none."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds, frames = (int(found[group]) for group in (1, 2, 3, 5))
    return Address(hours, minutes, seconds, frames, found[4] != ":")
