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

from api.platform.jobs.states import JobKind
from benchmarks.soak.jobs.dispatch import LEASE_S
from benchmarks.soak.jobs.installation import Installation
from cluster.testing.processes import descendants

SUSPENDED_S = (1.2 * LEASE_S, 2.0 * LEASE_S)
EACH_JOBS = (6, 18)
"""How many jobs end between two faults, so that a slow machine gets as many faults as a fast one."""
NAMES = ("dispatcher", "worker", "ffmpeg")
WORKERS = tuple(f"ray::{kind}" for kind in JobKind)
"""A worker is named after its job. Ray's own agents are spared: the whole node dies with one of them."""


class Faults:
    """Injects faults. The seed chooses victims and moments; what a victim is doing then depends on the machine."""

    def __init__(self, installation: Installation, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self.jobs_ended = 0
        """The caller keeps this up to date."""
        self._installation = installation
        self._random = random.Random(seed)
        self._resuming: set[asyncio.Task[None]] = set()

    async def go_on(self) -> None:
        """Inject faults until cancelled. A quarter of them hit dispatchers, which hold several jobs each."""
        due = 0
        while True:
            await asyncio.sleep(0.1)
            if self.jobs_ended < due:
                continue
            name = self._random.choices(NAMES, (2, 3, 3))[0]
            suspend = self._random.random() < 0.4
            victims = self._victims(name)
            if not victims:
                continue
            victim = self._random.choice(victims)
            with suppress(ProcessLookupError):
                if suspend:
                    os.kill(victim, signal.SIGSTOP)
                    self._later(self._resume(victim, self._random.uniform(*SUSPENDED_S)))
                else:
                    os.kill(victim, signal.SIGKILL)
                due = self.jobs_ended + self._random.randint(*EACH_JOBS)
                self.done[f"{name} {'suspended' if suspend else 'killed'}"] += 1

    async def end(self) -> None:
        """Resume what is still suspended."""
        if self._resuming:
            await asyncio.wait(self._resuming)

    def _victims(self, name: str) -> list[int]:
        if name == "dispatcher":
            awake = [
                each.pid for each in self._installation.dispatchers if each.poll() is None and _state(each.pid) != "T"
            ]
            # One stays at work: we measure how others take over, not an outage.
            return awake if len(awake) > 1 else []
        assert self._installation.head.process is not None
        below = descendants(self._installation.head.process.pid)
        wanted = ("ffmpeg",) if name == "ffmpeg" else WORKERS
        return [pid for pid in below if _name(pid).startswith(wanted)]

    def _later(self, resume: Awaitable[None]) -> None:
        task = asyncio.ensure_future(resume)
        self._resuming.add(task)
        task.add_done_callback(self._resuming.discard)

    async def _resume(self, pid: int, seconds: float) -> None:
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
