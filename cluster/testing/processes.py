"""What a process and its descendants use, and whether it ends, read from `/proc`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_AFTER_NAME = 2
"""Count the fields of `/proc/PID/stat` after the command's closing bracket: the command may contain blanks."""


def cpu_seconds(pid: int, *, children: bool = True) -> float:
    """User and system time in seconds; `children` adds running descendants and those waited for."""
    total = 0.0
    for each in (pid, *descendants(pid)) if children else (pid,):
        fields = _stat(each)
        if fields is not None:
            total += sum(int(field) for field in fields[11 : 15 if children else 13]) / _TICKS
    return total


def rss_bytes(pid: int) -> int:
    """Resident memory of this one process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def peak_rss_bytes(pid: int) -> int:
    """Peak resident memory of this one process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def pin(pid: int, cores: set[int]) -> None:
    """Pin the process's present threads to these cores; later threads inherit it."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), cores)


def descendants(pid: int) -> Iterator[int]:
    """Processes below `pid`, parents before their children."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from descendants(child)


_BEGAN = 19
"""When a process began, counted from its state (proc(5), field 22)."""


def ends_within(pid: int, seconds: float) -> bool:
    """Whether the process ends, or becomes a zombie, in that time. Another one may get its number meanwhile."""
    until = time.monotonic() + seconds
    began = None
    while time.monotonic() < until:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return True
        began = began or fields[_BEGAN]
        if fields[0] == "Z" or fields[_BEGAN] != began:
            return True
        time.sleep(0.02)
    return False


def _stat(pid: int) -> list[str] | None:
    """Fields from the state on (number 3 in proc(5)), or None if the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text[text.rindex(")") + _AFTER_NAME :].split()
