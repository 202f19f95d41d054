"""Faults at random moments: kill -9, and SIGSTOP for longer than a lease, of dispatchers, Ray workers and ffmpeg."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path

from api.jobs.states import JobKind
from cluster.testing.processes import descendants
from soak.jobs.dispatch import LEASE_S
from soak.jobs.installation import Place

SUSPENDED_S = (1.2 * LEASE_S, 2.0 * LEASE_S)
EACH_JOBS = (6, 18)
"""So many jobs end between one fault and the next: as many faults on a slow machine as on a fast one."""
NAMES = ("dispatcher", "worker", "ffmpeg")
WORKERS = tuple(f"ray::{kind}" for kind in JobKind)
"""A worker is named after its job. Ray's own agents are not touched: with one of them the whole node goes."""


class Faults:
    """Which victim and which moment follow from the seed; what it was doing then is the machine's chance."""

    def __init__(self, place: Place, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self.jobs_ended = 0
        """Kept up to date by whoever counts them."""
        self._place = place
        self._random = random.Random(seed)
        self._thawing: set[asyncio.Task[None]] = set()

    async def go_on(self) -> None:
        """Until it is cancelled. A quarter of the faults hit dispatchers, which hold several jobs each."""
        due = 0
        while True:
            await asyncio.sleep(0.1)
            if self.jobs_ended < due:
                continue
            name = self._random.choices(NAMES, (2, 3, 3))[0]
            freeze = self._random.random() < 0.4
            victims = self._victims(name)
            if not victims:
                continue
            victim = self._random.choice(victims)
            with suppress(ProcessLookupError):
                if freeze:
                    os.kill(victim, signal.SIGSTOP)
                    self._later(self._thaw(victim, self._random.uniform(*SUSPENDED_S)))
                else:
                    os.kill(victim, signal.SIGKILL)
                due = self.jobs_ended + self._random.randint(*EACH_JOBS)
                self.done[f"{name} {'frozen' if freeze else 'killed'}"] += 1

    async def end(self) -> None:
        """Wake what is still frozen."""
        if self._thawing:
            await asyncio.wait(self._thawing)

    def _victims(self, name: str) -> list[int]:
        if name == "dispatcher":
            awake = [each.pid for each in self._place.dispatchers if each.poll() is None and _state(each.pid) != "T"]
            # One is left at work: what is measured is how others take over, not how long nobody does.
            return awake if len(awake) > 1 else []
        assert self._place.head.process is not None
        below = descendants(self._place.head.process.pid)
        wanted = ("ffmpeg",) if name == "ffmpeg" else WORKERS
        return [pid for pid in below if _name(pid).startswith(wanted)]

    def _later(self, thaw: Awaitable[None]) -> None:
        task = asyncio.ensure_future(thaw)
        self._thawing.add(task)
        task.add_done_callback(self._thawing.discard)

    async def _thaw(self, pid: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def _state(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""
