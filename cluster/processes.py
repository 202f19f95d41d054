"""Find and end every process that an installation started, even after its parent died (Linux; a no-op elsewhere).

We need two marks. The environment variable `MARK` also finds processes in their own process group (ffmpeg). The session
id also finds processes that overwrite their environment by renaming themselves (Ray's workers).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection
from pathlib import Path

MARK = "SAGASCRIPT_INSTANCE"
_TICKS = os.sysconf("SC_CLK_TCK")
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
# Loaded here because a child must not load anything between fork and exec.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Have the kernel kill this new child once the thread that started it ends. Run it before the child's program."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of descendants whose parent dies: process 1 of a container often collects none."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def collect_orphans(known: Collection[int]) -> None:
    """Collect dead children, except those in `known`, which other code waits for."""
    for pid in _own_pids(dead=True):
        if pid not in known and _stat(pid)[1:2] == [str(os.getpid()).encode()]:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def leftovers(mark: str | None, sessions: Collection[int] = ()) -> list[int]:
    """Ids of processes with `mark` in their environment or in one of `sessions`, except this process."""
    wanted = None if mark is None else f"{MARK}={mark}".encode()
    return [
        pid
        for pid in _own_pids()
        if pid != os.getpid()
        and (_session(pid) in sessions or (wanted is not None and wanted in _environment(pid).split(b"\0")))
    ]


def end_leftovers(mark: str | None, sessions: Collection[int] = (), *, grace_s: float = 2.0) -> int:
    """Stop leftover processes, kill those that remain after `grace_s`, and return how many were found."""
    found = leftovers(mark, sessions)
    _signal_all(found, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline and leftovers(mark, sessions):
        time.sleep(0.05)
    # A process may fork while it is being killed, so look again.
    for _ in range(10):
        left = leftovers(mark, sessions)
        if not left:
            break
        _signal_all(left, signal.SIGKILL)
        time.sleep(0.05)
    return len(found)


def children(pid: int) -> list[int]:
    """Processes whose parent is `pid`; always empty outside Linux."""
    return [child for child in _own_pids() if _stat(child)[1:2] == [str(pid).encode()]]


def memory_held(root: int) -> tuple[int, int]:
    """Bytes of memory that a process and its descendants hold, and how many they are; (0, 0) outside Linux.

    Memory that processes share counts once in all (proportional set size).
    """
    below: dict[bytes, list[int]] = {}
    for pid in _own_pids():
        if stat := _stat(pid):
            below.setdefault(stat[1], []).append(pid)
    found = [root]
    for pid in found:
        found += below.get(str(pid).encode(), [])
    held = [size for pid in found if (size := _proportional_bytes(pid)) > 0]
    return sum(held), len(held)


def command_line(pid: int) -> list[str]:
    """The program and its arguments; empty if the process has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return []


def session_cpu_s(session: int) -> float:
    """Seconds of processor time that a session's processes and their dead children used so far; 0 outside Linux."""
    fields = (_stat(pid) for pid in _own_pids() if _session(pid) == session)
    return sum(sum(map(int, each[11:15])) for each in fields) / _TICKS


def signal_group(pid: int, number: signal.Signals) -> None:
    """Signal the process group that `pid` leads; a no-op if it has ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _signal_all(pids: Collection[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _own_pids(*, dead: bool = False) -> list[int]:
    """This user's live processes, or those that died and were not collected."""
    root, user = Path("/proc"), os.getuid()
    if not root.is_dir():
        return []
    pids = []
    for entry in root.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                pid = int(entry.name)
                if entry.stat().st_uid == user and (_stat(pid)[:1] == [b"Z"]) is dead:
                    pids.append(pid)
    return pids


def _stat(pid: int) -> list[bytes]:
    """State, parent and further fields from the kernel's view of a process; empty if it does not exist."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return []


def _proportional_bytes(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _session(pid: int) -> int:
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return 0


def _environment(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""
