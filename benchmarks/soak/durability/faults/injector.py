"""Injects faults at random moments, waits for recovery, and notes each in the journal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from api.platform.db.engine import Database
from api.platform.jobs.states import JobKind
from benchmarks.soak.durability.fault_kinds import BACK_WITHIN_S, Kind
from benchmarks.soak.durability.faults import victims
from benchmarks.soak.durability.faults.running import HeldJob, Running
from benchmarks.soak.durability.journal import Event, Journal
from benchmarks.soak.durability.servers.installation import Installation

LOOK_FOR_VICTIM_S = 25.0
LOOK_EVERY_S = 0.03
LONGEST_WAIT_S = 180.0
DATABASE_DOWN_S = 6.0
REDIS_DOWN_S = 2.0
DISK_FULL_S = 5.0
CUT_S = 30.0
LONGEST_SUSPENSION = 2.5
"""How long a dispatcher stays suspended if nobody takes its jobs, in multiples of the usual suspension."""

GUARD_S = 3.0
"""The guard's time to end everything that a dead supervisor started."""

STRIKE_WITHIN_S = 0.6
"""A victim is hit at a random moment of its first tenths of a second, because its work is as short."""


@dataclass(frozen=True, slots=True)
class InjectedFault:
    """One fault. `back_s` is None if it lasted longer than the longest wait; `hit` counts jobs that lost something."""

    kind: Kind
    back_s: float | None
    hit: int

    @property
    def is_in_time(self) -> bool:
        return self.back_s is not None and self.back_s <= BACK_WITHIN_S[self.kind]


@dataclass
class Injector:
    installation: Installation
    database: Database
    journal: Journal
    luck: random.Random
    suspend_s: float
    """Longer than a lease."""
    injected: list[InjectedFault] = field(default_factory=list)
    missed: list[Kind] = field(default_factory=list)
    """Faults without a victim in time."""

    def __post_init__(self) -> None:
        self._running = Running(self.database)

    async def run(self, kinds: list[Kind], *, gap_s: float) -> None:
        """Inject each in turn, after a random pause of `gap_s` on average."""
        for kind in kinds:
            await asyncio.sleep(self.luck.uniform(0.2, 1.8) * gap_s)
            await self.inject(kind)

    async def inject(self, kind: Kind) -> None:
        done = await self._act(kind)
        if done is None:
            self.missed.append(kind)
            self.journal.note(Event.FAULT, kind=kind, missed=True)
            return
        hit, is_back, since = done
        self.journal.note(Event.FAULT, kind=kind, jobs=[str(held.job_id) for held in hit])
        back_s = await _seconds_until(is_back, since)
        self.injected.append(InjectedFault(kind, back_s, len(hit)))

    async def _act(self, kind: Kind) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float] | None:
        """Inject the fault; return the jobs hit, a check for recovery, and the start of the recovery time."""
        match kind:
            case Kind.API | Kind.UPLOADS | Kind.RELAY | Kind.SUSPEND_API:
                return await self._web(kind)
            case Kind.STOP_ALL:
                hit = await self._running.now()
                await self.installation.stop()
                began = time.monotonic()
                await self.installation.start()
                return hit, self._jobs_back(hit), began
            case Kind.SUPERVISOR:
                return await self._supervisor()
            case Kind.POSTGRES:
                return await self._postgres()
            case Kind.REDIS:
                assert self.installation.redis is not None
                self.installation.redis.kill()
                await asyncio.sleep(REDIS_DOWN_S)
                self.installation.redis.start()
                return [], lambda: self.installation.answers("relay"), time.monotonic()
            case Kind.CUT_DATABASE | Kind.CUT_REDIS:
                cable, name = self.installation.cable_of(kind)
                cable.cut()
                await asyncio.sleep(CUT_S)
                cable.mend()
                return [], lambda: self.installation.answers(name), time.monotonic()
            case Kind.DISK_FULL:
                self.installation.disk.fill()
                await asyncio.sleep(DISK_FULL_S)
                self.installation.disk.free()
                return [], lambda: self.installation.answers("uploads"), time.monotonic()
        return await self._worker(kind)

    async def _web(self, kind: Kind) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float] | None:
        name = "api" if kind == Kind.SUSPEND_API else kind.removeprefix("kill-")
        pids = victims.program(self.installation, name)
        if not pids:
            return None
        if kind == Kind.SUSPEND_API:
            await self._suspend(pids[0])
        else:
            _signal(pids[0], signal.SIGKILL)
        began = time.monotonic()
        return [], lambda: self.installation.answers(name), began

    def kill_programs(self, kind: Kind) -> None:
        """Kill every `api`, `uploads`, `relay` or `dispatcher`, idle or not."""
        for pid in victims.program(self.installation, kind.removeprefix("kill-")):
            _signal(pid, signal.SIGKILL)

    async def _supervisor(self) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float]:
        """Kill the supervisor. Its guard must end what it started; then start it again."""
        hit = await self._running.now()
        assert self.installation.up is not None
        self.installation.up.kill()
        await asyncio.to_thread(self.installation.up.wait)
        for kept in self.installation.beside.values():
            await kept.stop()
        while await self.installation.answers("api"):
            await asyncio.sleep(LOOK_EVERY_S)
        await asyncio.sleep(GUARD_S)
        began = time.monotonic()
        await self.installation.start()
        return hit, self._jobs_back(hit), began

    async def _postgres(self) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float]:
        assert self.installation.postgres is not None
        await asyncio.to_thread(self.installation.postgres.kill)
        await asyncio.sleep(DATABASE_DOWN_S)
        await asyncio.to_thread(self.installation.postgres.start)
        return [], lambda: self.installation.answers("api"), time.monotonic()

    async def _worker(self, kind: Kind) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float] | None:
        """Wait for a process that works on a job, and hit it at a random moment."""
        deadline = time.monotonic() + LOOK_FOR_VICTIM_S
        while time.monotonic() < deadline:
            if await self._find(kind):
                await asyncio.sleep(self.luck.uniform(0, STRIKE_WITHIN_S))
                found = await self._find(kind)
                if found:
                    pid, hit = self.luck.choice(found)
                    return await self._strike(kind, pid, hit)
            await asyncio.sleep(LOOK_EVERY_S)
        return None

    async def _strike(
        self, kind: Kind, pid: int, hit: list[HeldJob]
    ) -> tuple[list[HeldJob], Callable[[], Awaitable[bool]], float]:
        began = time.monotonic()
        if kind == Kind.SUSPEND_DISPATCHER:
            await self._suspend_until_taken(pid, hit)
        elif kind in (Kind.SUSPEND_WORKER, Kind.SUSPEND_REPLICA):
            await self._suspend(pid)
        else:
            _signal(pid, signal.SIGKILL)
        return hit, self._jobs_back(hit), began

    async def _find(self, kind: Kind) -> list[tuple[int, list[HeldJob]]]:
        """Victims with the running jobs that they work on; idle processes are left out."""
        held = await self._running.now()
        by_id = {each.job_id: each for each in held}
        match kind:
            case Kind.DISPATCHER | Kind.SUSPEND_DISPATCHER:
                found = {
                    pid: [each for each in held if f"-{pid}-" in each.owner]
                    for pid in victims.program(self.installation, "dispatcher")
                }
            case Kind.WORKER | Kind.SUSPEND_WORKER:
                found = {pid: _one(by_id, pid) for pid in victims.workers(self.installation)}
            case Kind.FFMPEG:
                found = {pid: _one(by_id, pid) for pid in victims.media_programs(self.installation)}
            case Kind.REPLICA | Kind.SUSPEND_REPLICA:
                transcriptions = [each for each in held if each.kind == JobKind.TRANSCRIBE]
                found = {pid: transcriptions for pid in victims.replicas(self.installation)}
            case _:
                program = {Kind.GCS: "gcs_server", Kind.RAYLET: "raylet"}[kind]
                found = {pid: held for pid in victims.named(self.installation, program)}
        return [(pid, jobs) for pid, jobs in found.items() if jobs]

    async def _suspend(self, pid: int) -> None:
        _signal(pid, signal.SIGSTOP)
        await asyncio.sleep(self.suspend_s)
        _signal(pid, signal.SIGCONT)

    async def _suspend_until_taken(self, pid: int, hit: list[HeldJob]) -> None:
        """Resume it once others have its jobs, so that it is certainly too late. On SQLite a process suspended inside a
        transaction blocks the others, so it is resumed anyway after a while."""
        _signal(pid, signal.SIGSTOP)
        deadline = time.monotonic() + LONGEST_SUSPENSION * self.suspend_s
        while time.monotonic() < deadline and not await self._running.are_in_other_hands(hit):
            await asyncio.sleep(LOOK_EVERY_S)
        _signal(pid, signal.SIGCONT)

    def _jobs_back(self, hit: list[HeldJob]) -> Callable[[], Awaitable[bool]]:
        return lambda: self._running.are_in_other_hands(hit)


def _one(by_id: dict[uuid.UUID, HeldJob], pid: int) -> list[HeldJob]:
    job_id = victims.job_of(pid)
    return [by_id[job_id]] if job_id in by_id else []


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


async def _seconds_until(is_back: Callable[[], Awaitable[bool]], since: float) -> float | None:
    while not await is_back():
        if time.monotonic() - since > LONGEST_WAIT_S:
            return None
        await asyncio.sleep(LOOK_EVERY_S)
    return time.monotonic() - since
