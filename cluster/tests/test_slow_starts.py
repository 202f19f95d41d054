"""Starts on a busy machine: the supervisor waits as long as they make progress, and stops nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cluster.processes import MARK
from cluster.supervisor import stall_watch
from cluster.supervisor import supervisor as supervisor_module
from cluster.supervisor.folder import CannotStart
from cluster.supervisor.program import Program
from cluster.supervisor.supervisor import Supervisor
from cluster.testing.patience import PATIENCE_S

READY = "now ready"
WEB = f"print({READY!r}, flush=True); import time; time.sleep(600)"
# Like Ray's head on a busy machine: a child computes with long pauses until everything is ready.
SLOW = f"""
import subprocess, sys, time
child = "import time; end = time.process_time() + 0.4\\n"
child += "while time.process_time() < end:\\n  until = time.process_time() + 0.05\\n"
child += "  while time.process_time() < until: pass\\n  time.sleep(0.2)"
subprocess.run([sys.executable, "-c", child])
print({READY!r}, flush=True); time.sleep(600)
"""


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stall_watch, "LOOK_EVERY_S", 0.1)
    monkeypatch.setattr(stall_watch, "FIRST_NOTICE_AFTER_S", 0.5)
    monkeypatch.setattr(stall_watch, "NOTICE_EVERY_S", 0.5)
    monkeypatch.setattr(supervisor_module, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(supervisor_module, "LONGEST_WAIT_S", 0.01)


def program(name: str, source: str, mark: str, **options: object) -> Program:
    argv = (sys.executable, "-c", source)
    return Program(
        name,
        argv,
        {**os.environ, MARK: mark},
        ready_line=READY,
        stop_timeout_s=0.5,
        **options,  # type: ignore[arg-type]
    )


@asynccontextmanager
async def supervised(
    folder: Path, make: Callable[[str], list[Program]]
) -> AsyncIterator[tuple[Supervisor, asyncio.Task[None], list[str]]]:
    mark = f"test-{uuid.uuid4().hex}"
    said: list[str] = []
    supervisor = Supervisor(make(mark), logs=folder, mark=mark, report=lambda name, text: said.append(f"{name} {text}"))
    starting = asyncio.create_task(supervisor.start())
    try:
        yield supervisor, starting, said
    finally:
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await supervisor.stop()


async def until(fits: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not fits():
            await asyncio.sleep(0.02)


async def test_a_slow_start_may_take_as_long_as_it_makes_progress(tmp_path: Path) -> None:
    def make(mark: str) -> list[Program]:
        return [program("web", WEB, mark), program("ray", SLOW, mark, start_stall_s=1.0)]

    async with supervised(tmp_path, make) as (supervisor, starting, said):
        await asyncio.wait_for(starting, PATIENCE_S)
        assert supervisor.pid("ray") is not None
        assert said
        assert all(line.startswith("ray has been starting for") and "goes on" in line for line in said), said


@pytest.mark.long
async def test_a_start_that_stalls_is_retried_and_the_web_process_stays(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    # Suspends itself four times, as if the machine gave it no time; the fifth start works.
    suspended = f"""
import os, signal, sys, time
open({str(tries)!r}, "a").write("x")
if len(open({str(tries)!r}).read()) < 5:
    os.kill(os.getpid(), signal.SIGSTOP)
print({READY!r}, flush=True); time.sleep(600)
"""

    def make(mark: str) -> list[Program]:
        return [program("web", WEB, mark), program("ray", suspended, mark, start_stall_s=0.5)]

    async with supervised(tmp_path, make) as (supervisor, starting, said):
        await supervisor.until_ready("web")
        web = supervisor.pid("web")
        await asyncio.wait_for(starting, PATIENCE_S)
        assert tries.read_text() == "xxxxx"
        assert supervisor.pid("web") == web
        assert [line for line in said if "did nothing for" in line and line.endswith("starting it again.")]


async def test_a_suspended_program_resumes_where_it_was(tmp_path: Path) -> None:
    waits = f"import time; time.sleep(0.3); print({READY!r}, flush=True); time.sleep(600)"

    def make(mark: str) -> list[Program]:
        return [program("ray", waits, mark, start_stall_s=30.0)]

    async with supervised(tmp_path, make) as (supervisor, starting, said):
        await supervisor.until_launched("ray")
        pid = supervisor.pid("ray") or 0
        os.kill(pid, signal.SIGSTOP)
        await until(lambda: any("has been starting for" in line for line in said))
        os.kill(pid, signal.SIGCONT)
        await asyncio.wait_for(starting, PATIENCE_S)
        assert supervisor.pid("ray") == pid


@pytest.mark.long
async def test_a_start_that_only_burns_processor_time_is_ended(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    spins = f"""
import os, time
open({str(tries)!r}, "a").write("x")
while len(open({str(tries)!r}).read()) < 2: pass
print({READY!r}, flush=True); time.sleep(600)
"""

    def make(mark: str) -> list[Program]:
        return [program("ray", spins, mark, start_cpu_s=0.5)]

    async with supervised(tmp_path, make) as (_, starting, said):
        await asyncio.wait_for(starting, PATIENCE_S)
        assert [line for line in said if "of processor time" in line]


@pytest.mark.long
async def test_a_program_that_ends_at_once_three_times_is_reported_with_its_output_and_advice(tmp_path: Path) -> None:
    def make(mark: str) -> list[Program]:
        return [program("web", WEB, mark), program("ray", "import sys; sys.exit('No space left on device')", mark)]

    async with supervised(tmp_path, make) as (_, starting, _said):
        with pytest.raises(CannotStart, match=r"No space left on device[\s\S]*ray\.log[\s\S]*sagascript doctor"):
            await asyncio.wait_for(starting, PATIENCE_S)


@pytest.mark.long
async def test_a_program_that_fails_late_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "AT_ONCE_S", 0.0)
    tries = tmp_path / "tries"
    late = f"""
import sys, time
open({str(tries)!r}, "a").write("x")
if len(open({str(tries)!r}).read()) < 5:
    sys.exit("timed out waiting for the node")
print({READY!r}, flush=True); time.sleep(600)
"""

    def make(mark: str) -> list[Program]:
        return [program("web", WEB, mark), program("ray", late, mark)]

    async with supervised(tmp_path, make) as (supervisor, starting, said):
        await supervisor.until_ready("web")
        web = supervisor.pid("web")
        await asyncio.wait_for(starting, PATIENCE_S)
        assert supervisor.pid("web") == web
        assert "ray ended before it was ready (timed out waiting for the node); starting it again." in said
