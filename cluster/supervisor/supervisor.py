"""Start programs in the order of their needs, restart what dies, and stop everything at the end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cluster.processes import MARK, adopt_orphans, children, collect_orphans, end_leftovers
from cluster.supervisor.child import Child
from cluster.supervisor.folder import CannotStart
from cluster.supervisor.logfile import LogFile
from cluster.supervisor.program import Program
from cluster.supervisor.stall_watch import until_stalled

FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 15.0
"""Wait before a restart, doubled each time up to the longest while a program keeps failing."""

STEADY_AFTER_S = 30.0
"""A program that ran this long restarts after the first wait."""

FIRST_START_TRIES = 3
"""A program that was never ready and ended at once this many times in a row fails the whole start with a sentence."""

AT_ONCE_S = 30.0
"""A program that ended later than this was slow. Another try may help, so nothing else stops because of it."""

_HANGS = "does not answer"

Report = Callable[[str, str], None]


class Supervisor:
    """Runs programs until `stop`. `on_line` gets (program, line of output), `report` (program, sentence).

    `gates` are needs that the caller meets with `open_gate`, such as a migrated database.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        *,
        logs: Path,
        mark: str,
        report: Report,
        on_line: Report = lambda _name, _line: None,
        gates: Sequence[str] = (),
    ) -> None:
        self.programs = {program.name: program for program in programs}
        self._logs = {program.name: LogFile(logs / f"{program.name}.log") for program in programs}
        self._mark = mark
        self._report = report
        self._on_line = on_line
        self._ready = {name: asyncio.Event() for name in (*self.programs, *gates)}
        self._alive = {program.name: asyncio.Event() for program in programs}
        self._down = {program.name: asyncio.Event() for program in programs}
        self._running: dict[str, Child] = {}
        self._former: dict[str, Child] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: set[int] = set()
        self._guard: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start everything and return once all programs are ready. Raises `CannotStart` if one cannot start."""
        adopt_orphans()
        await asyncio.to_thread(end_leftovers, self._mark)
        await self._start_guard()
        self._tasks = {name: asyncio.create_task(self._keep(program)) for name, program in self.programs.items()}
        ready = asyncio.create_task(self._all_ready())
        try:
            await asyncio.wait({ready, *self._tasks.values()}, return_when=asyncio.FIRST_COMPLETED)
            for task in self._tasks.values():
                if task.done():
                    task.result()
        finally:
            ready.cancel()

    async def watch(self) -> None:
        """Keep restarting programs and never return. Raises once a program cannot start any more."""
        await asyncio.gather(*self._tasks.values())

    def open_gate(self, name: str) -> None:
        self._ready[name].set()

    async def until_launched(self, name: str) -> None:
        """Wait until the program's process exists, ready or not."""
        await self._alive[name].wait()

    async def until_ready(self, name: str) -> None:
        await self._ready[name].wait()

    def pid(self, name: str) -> int | None:
        child = self._running.get(name)
        return child.pid if child else None

    async def stop(self) -> None:
        """Stop all programs, dependents first, and leave no process behind."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await asyncio.gather(*(self._end_former(self.programs[name]) for name in [*self._former]))
        for level in reversed(self._levels()):
            await asyncio.gather(*(self._stop_child(name) for name in level if name in self._running))
        await asyncio.to_thread(end_leftovers, self._mark, self._sessions, grace_s=0.3)
        self._collect()
        if self._guard is not None and self._guard.stdin is not None:
            self._guard.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(5):
                    await self._guard.wait()
        for log in self._logs.values():
            log.close()

    async def _keep(self, program: Program) -> None:
        """Run one program again and again until it is cancelled or raises `CannotStart`."""
        loop = asyncio.get_running_loop()
        failures, wait_s, was_ready = 0, FIRST_WAIT_S, False
        while True:
            for need in program.needs:
                await self._ready[need].wait()
            for need in program.dies_with:
                await self._alive[need].wait()
            if program.prepare is not None:
                program.prepare()
            child = Child(program, self._logs[program.name], self._on_line)
            started = loop.time()
            await self._launch(child)
            stalled = until_stalled(child, partial(self._tell_slow, program))
            event = await self._first(program, {"ended": child.ended(), "ready": child.ready(), "is stuck": stalled})
            if event == "ready":
                self._set_ready(program)
                await self._end_former(program)
                if was_ready:
                    self._report(program.name, "is running again.")
                was_ready = True
                event = await self._until_down(program, child)
            elif not was_ready:
                failures = failures + 1 if event == "ended" and loop.time() - started < AT_ONCE_S else 0
                if failures >= FIRST_START_TRIES:
                    raise CannotStart(self._start_failure(child))
                if event == "ended" and child.tail:
                    event = f"ended before it was ready ({child.tail[-1]})"
            self._ready[program.name].clear()
            self._alive[program.name].clear()
            self._down[program.name].set()
            if event == "ended" and was_ready and program.forks_server and program.name not in self._former:
                self._former[program.name] = self._running.pop(program.name)
            else:
                await self._stop_child(program.name)
            self._report(program.name, f"{event}; starting it again.")
            if loop.time() - started > STEADY_AFTER_S:
                wait_s = FIRST_WAIT_S
            await asyncio.sleep(wait_s)
            wait_s = min(LONGEST_WAIT_S, wait_s * 2)

    async def _until_down(self, program: Program, child: Child) -> str:
        """Wait until a program that was ready needs another start; return why."""
        while True:
            event = await self._first(program, {"ended": child.ended(), _HANGS: child.hung()})
            servers = children(child.pid) if event == _HANGS and program.forks_server else []
            if not servers:
                return event
            for server in servers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(server, signal.SIGKILL)
            self._report(program.name, f"{_HANGS}; another process takes over.")

    def _set_ready(self, program: Program) -> None:
        self._ready[program.name].set()
        if program.on_ready is not None:
            program.on_ready()

    async def _launch(self, child: Child) -> None:
        try:
            await child.start()
        except OSError as error:
            raise CannotStart(f"The program {child.program.command[0]} cannot be started ({error.strerror}).") from None
        self._running[child.program.name] = child
        self._down[child.program.name].clear()
        self._alive[child.program.name].set()
        self._sessions.add(child.pid)
        self._tell_guard(f"+{child.pid}\n")

    def _tell_slow(self, program: Program, sentence: str) -> None:
        """Report a slow start, unless the program only waits for another slow one."""
        if all(self._ready[need].is_set() for need in (*program.needs, *program.dies_with)):
            self._report(program.name, sentence)

    async def _first(self, program: Program, events: dict[str, Coroutine[Any, Any, object]]) -> str:
        """Wait for the first of `events` or for the end of a program that this one depends on.

        Returns what happened, in the words that the event returned or else by its name.
        """
        lost = {f"lost {need}": self._down[need].wait() for need in program.dies_with}
        tasks = {asyncio.create_task(waiting): words for words, waiting in (events | lost).items()}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            first, words = next((task, words) for task, words in tasks.items() if task in done)
            found = first.result()
            return found if isinstance(found, str) else words
        finally:
            for task in tasks:
                task.cancel()

    async def _stop_child(self, name: str) -> None:
        child = self._running.get(name)
        if child is None:
            return
        await child.stop()
        await self._forget(child)
        del self._running[name]

    async def _end_former(self, program: Program) -> None:
        """End what the start before left behind, once it has answered what it was asked."""
        former = self._former.get(program.name)
        if former is None:
            return
        await asyncio.to_thread(end_leftovers, None, {former.pid}, grace_s=program.stop_timeout_s)
        await former.stop()
        await self._forget(former)
        del self._former[program.name]

    async def _forget(self, child: Child) -> None:
        # The session also finds grandchildren in their own process group (Ray's workers).
        await asyncio.to_thread(end_leftovers, None, {child.pid}, grace_s=0.3)
        self._collect()
        self._sessions.discard(child.pid)
        self._tell_guard(f"-{child.pid}\n")
        if child.program.on_stopped is not None:
            child.program.on_stopped()

    def _collect(self) -> None:
        guard = [] if self._guard is None else [self._guard.pid]
        collect_orphans({*guard, *(child.pid for child in self._running.values())})

    def _tell_guard(self, line: str) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(ConnectionError):
                self._guard.stdin.write(line.encode())

    async def _all_ready(self) -> None:
        for event in self._ready.values():
            await event.wait()

    def _levels(self) -> list[list[str]]:
        """Program names grouped so that each group needs only earlier ones."""
        levels: list[list[str]] = []
        left = dict(self.programs)
        while left:
            free = [name for name, program in left.items() if not any(need in left for need in program.needs)]
            levels.append(free)
            for name in free:
                del left[name]
        return levels

    async def _start_guard(self) -> None:
        self._guard = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "cluster.supervisor.guard", self._mark),
            stdin=asyncio.subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name != MARK},
            start_new_session=True,
        )

    def _start_failure(self, child: Child) -> str:
        name = child.program.name
        last = "\n".join(f"    {line}" for line in list(child.tail)[-8:]) or "    (it wrote nothing)"
        return (
            f"{name} did not start after {FIRST_START_TRIES} tries. Its last lines:\n{last}\n"
            f"All of them are in {self._logs[name].path}. `sagascript doctor` checks this machine."
        )
