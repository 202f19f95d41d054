"""Runs one child process within limits; it never outlives its parent."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from cluster.limited_process.limits import STALL_S, ProcessLimits

_LAUNCHER = Path(__file__).with_name("launcher.py")
_TAIL_BYTES = 16 * 1024
_LOOK_S = 0.25
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_ROUNDED_S = 2 / _TICKS_PER_S
"""Rounding of measured CPU time: the kernel limits nanoseconds but reports user and system time in whole ticks."""
_ENDED_BY_REQUEST = 255
"""ffmpeg's status after a signal that it catches.

On a busy machine the kernel reports less CPU time than it limited, so half of the limit is enough with this status.
"""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_READ_BYTES = 256 * 1024
# The last four locate fonts: the check before a burn-in must find the fonts that ffmpeg will find.
_KEPT = (
    *("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"),
    *("FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
)


class Stopped(StrEnum):
    """Why a process that started failed."""

    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    FILE = "file"
    DISK = "disk"
    STALLED = "stalled"
    FAILED = "failed"


class ProcessFailed(Exception):
    """The process did not end with status 0. `errors` is the end of its standard error, for the log."""

    def __init__(self, why: Stopped, returncode: int | None, errors: str) -> None:
        super().__init__(why, returncode, errors)
        self.why = why
        self.returncode = returncode
        self.errors = errors


class LimitedProcess:
    """A program in a session of its own. `output()` streams its standard output; leaving the `with` kills the group.

    It dies when this Python process dies, also by SIGKILL. The kernel ties that to the *thread* that started it, so
    a dedicated thread starts the program, collects the end of its standard error and waits for it.
    """

    def __init__(self, program: Sequence[str], limits: ProcessLimits, *, cwd: Path | None = None) -> None:
        self._limits = limits
        self._began = time.monotonic()
        self._tail = bytearray()
        self._started = threading.Event()
        self._ended = threading.Event()
        self._reaping = threading.Lock()
        self._problem: BaseException | None = None
        self._too_big = False
        self._used_s = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._command = [
            *(sys.executable, "-I", "-S", str(_LAUNCHER), str(os.getpid())),
            *(str(limits.cpu_s), str(limits.address_space_bytes), str(limits.file_bytes or 0), str(limits.niceness)),
            *program,
        ]
        self._cwd = cwd
        threading.Thread(target=self._supervise, name="limited-process", daemon=True).start()
        self._started.wait()
        if self._problem is not None:
            raise self._problem

    def __enter__(self) -> LimitedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def errors(self) -> str:
        """The end of standard error so far."""
        return bytes(self._tail).decode("utf-8", "replace")

    def output(self) -> Iterator[bytes]:
        """Blocks of standard output until the program ends. Raises `ProcessFailed` when it fails or is stopped."""
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout
        with selectors.DefaultSelector() as ready:
            ready.register(stream, selectors.EVENT_READ)
            while True:
                left = self._limits.wall_s - (time.monotonic() - self._began)
                if not ready.select(timeout=max(0.0, min(left, STALL_S))):
                    self._stop(Stopped.WALL if left <= STALL_S else Stopped.STALLED)
                block = os.read(stream.fileno(), _READ_BYTES)
                if not block:
                    break
                yield block
        if not self._ended.wait(STALL_S):
            self._stop(Stopped.STALLED)
        # ffmpeg exits with 0 when only the index, which an MP4 needs, could not be written.
        if self._process.returncode != 0 or "Error writing trailer" in self.errors:
            raise ProcessFailed(self._why(self._process.returncode), self._process.returncode, self.errors)

    def kill(self) -> None:
        """Kill the whole group, if it has not ended."""
        with self._reaping:
            if not self._ended.is_set() and self._process is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
        self._ended.wait()
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    def _supervise(self) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._cwd,
                env=program_environment(),
                start_new_session=True,
            )
        except BaseException as error:
            self._problem = error
            self._ended.set()
            self._started.set()
            return
        self._process = process
        self._started.set()
        self._watch(process)
        # Not reaped outside the lock: while `kill` holds it, no other process can get the id.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        self._used_s = _cpu_seconds(process.pid)
        with self._reaping:
            process.wait()
            self._ended.set()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Collect the end of standard error until it closes, and kill a program that uses too much memory."""
        assert process.stderr is not None
        with process.stderr as stream, selectors.DefaultSelector() as ready:
            ready.register(stream, selectors.EVENT_READ)
            while True:
                if ready.select(timeout=_LOOK_S):
                    block = os.read(stream.fileno(), 4096)
                    if not block:
                        return
                    self._tail += block
                    del self._tail[:-_TAIL_BYTES]
                # Not reaped before this method ends, so the id is still this program's.
                if not self._too_big and _resident_bytes(process.pid) > self._limits.memory_bytes:
                    self._too_big = True
                    os.killpg(process.pid, signal.SIGKILL)

    def _stop(self, why: Stopped) -> None:
        self.kill()
        raise ProcessFailed(why, None, self.errors)

    def _why(self, returncode: int) -> Stopped:
        errors = self.errors
        if self._too_big:
            return Stopped.MEMORY
        if self._cpu_ran_out(returncode):
            return Stopped.CPU
        if returncode == -signal.SIGXFSZ or "File too large" in errors:
            return Stopped.FILE
        if any(words in errors for words in ("Cannot allocate memory", "MemoryError", "malloc of size")):
            return Stopped.MEMORY
        # ffmpeg reports a full packet queue with the same error number, after a message of its own.
        if (
            "No space left on device" in errors or "Disk quota exceeded" in errors
        ) and "Too many packets" not in errors:
            return Stopped.DISK
        return Stopped.FAILED

    def _cpu_ran_out(self, returncode: int) -> bool:
        if returncode == -signal.SIGXCPU or self._used_s + _ROUNDED_S >= self._limits.cpu_s:
            return True
        # ffmpeg treats the signal as a request to end: it exits with 255 and logs the reason only at verbose levels.
        return returncode == _ENDED_BY_REQUEST and self._used_s >= self._limits.cpu_s / 2


def _resident_bytes(pid: int) -> int:
    """Resident memory of the process; 0 where it cannot be read."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError):
        return 0


def _cpu_seconds(pid: int) -> float:
    """CPU time, over all threads, of a process that has ended and is not reaped; 0 where it cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def program_environment() -> dict[str, str]:
    """The part of our environment that a program needs: no addresses, no secrets."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    # One malloc arena for each core would use up the address space.
    return {**kept, "LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "4"}
