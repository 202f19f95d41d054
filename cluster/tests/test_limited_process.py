"""Child programs stay within their limits and never outlive their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed, Stopped
from cluster.testing.processes import ends_within

GENEROUS = ProcessLimits(cpu_s=60, wall_s=60)


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def why(program: list[str], limits: ProcessLimits, cwd: Path | None = None) -> Stopped:
    with pytest.raises(ProcessFailed) as failed, LimitedProcess(program, limits, cwd=cwd) as process:
        list(process.output())
    assert ends_within(process.pid, 5)
    return failed.value.why


def test_output_streams_and_an_error_keeps_its_last_words() -> None:
    with LimitedProcess(python("print('a' * 600_000)"), GENEROUS) as process:
        assert sum(len(block) for block in process.output()) == 600_001
    with (
        pytest.raises(ProcessFailed) as failed,
        LimitedProcess(python("import sys; sys.stderr.write('x' * 100_000 + 'the end'); sys.exit(4)"), GENEROUS) as one,
    ):
        list(one.output())
    assert (failed.value.why, failed.value.returncode) == (Stopped.FAILED, 4)
    assert failed.value.errors.endswith("the end")
    assert len(failed.value.errors) < 20_000


@pytest.mark.long
def test_each_limit_stops_the_program_and_says_which(tmp_path: Path) -> None:
    assert why(python("while True: pass"), ProcessLimits(cpu_s=1, wall_s=60)) is Stopped.CPU
    assert why(python("import time; time.sleep(60)"), ProcessLimits(cpu_s=9, wall_s=1)) is Stopped.WALL
    grow = "a = bytearray(900_000_000)"
    assert why(python(grow), ProcessLimits(cpu_s=9, wall_s=60, address_space_bytes=500_000_000)) is Stopped.MEMORY
    # Reserved memory is not used memory: only used memory counts against the smaller limit.
    used = ProcessLimits(cpu_s=9, wall_s=60, memory_bytes=200_000_000)
    with LimitedProcess(python("import mmap; mmap.mmap(-1, 900_000_000)"), used) as process:
        assert list(process.output()) == []
    assert why(python(f"{grow}; import time; time.sleep(60)"), used) is Stopped.MEMORY
    write = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); open('f', 'wb').write(bytes(2_000_000))"
    limits = ProcessLimits(cpu_s=9, wall_s=60, file_bytes=1_000_000)
    assert why(python(write), limits, tmp_path) is Stopped.FILE
    assert (tmp_path / "f").stat().st_size <= 1_000_000


@pytest.mark.long
def test_status_255_after_half_of_the_cpu_time_means_that_it_ran_out() -> None:
    # What ffmpeg does: it catches SIGXCPU, and on a busy machine the kernel reports less time than the limit.
    half = "import sys, time\nwhile time.process_time() < 0.6: pass\nsys.exit({status})"
    limits = ProcessLimits(cpu_s=1, wall_s=60)
    assert why(python(half.format(status=255)), limits) is Stopped.CPU
    assert why(python(half.format(status=1)), limits) is Stopped.FAILED
    assert why(python("import sys; sys.exit(255)"), limits) is Stopped.FAILED


def test_the_environment_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_SESSION_SECRET", "s3cret")
    with LimitedProcess(python("import os; print(dict(os.environ))"), GENEROUS) as process:
        assert b"s3cret" not in b"".join(process.output())


def test_leaving_early_kills_the_whole_group(tmp_path: Path) -> None:
    family = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(900)'])\n"
        "print(child.pid, flush=True); time.sleep(900)"
    )
    with LimitedProcess(python(family), GENEROUS) as process:
        grandchild = int(next(process.output()))
    assert ends_within(process.pid, 5)
    assert ends_within(grandchild, 5)


def test_a_killed_program_is_reported() -> None:
    with LimitedProcess(python("print('here', flush=True); import time; time.sleep(60)"), GENEROUS) as process:
        output = process.output()
        next(output)
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ProcessFailed) as failed:
            next(output)
    assert (failed.value.why, failed.value.returncode) == (Stopped.FAILED, -signal.SIGKILL)


def test_a_program_dies_with_the_process_that_started_it() -> None:
    owner = """
import sys
from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess
limits = ProcessLimits(cpu_s=60, wall_s=60)
with LimitedProcess([sys.executable, "-c", "import time; time.sleep(60)"], limits) as process:
    print(process.pid, flush=True)
    list(process.output())
"""
    with subprocess.Popen([sys.executable, "-c", owner], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        pid = int(started.stdout.readline())
        assert not ends_within(pid, 0.1)
        started.kill()
    assert ends_within(pid, 5)
