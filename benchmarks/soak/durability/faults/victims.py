"""The processes that a fault may hit, found by name below the processes that we started."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

from benchmarks.soak.durability.servers.installation import Installation
from cluster.processes import children
from cluster.testing.processes import descendants

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OWN_PROGRAMS = "api.main"


def program(installation: Installation, name: str) -> list[int]:
    """The process that serves of the supervisor's program of this name (`api`, `dispatcher`), and the one beside it."""
    beside = installation.beside.get(name)
    found = [beside.pid] if beside is not None and beside.pid is not None else []
    for pid in _below(installation):
        words = command_line(pid)
        if _OWN_PROGRAMS in words and words[-1:] == [name]:
            found.append(pid)
    # A web process is forked from one that only waits for its end.
    return [pid for pid in found if not {*children(pid)} & {*found}]


def named(installation: Installation, *names: str) -> list[int]:
    """Processes by the name of their executable (`gcs_server`, `raylet`)."""
    return [pid for pid in _below(installation) if Path((command_line(pid) or [""])[0]).name in names]


def workers(installation: Installation) -> list[int]:
    """Ray workers that run an attempt. Ray titles them with the task's name, which ends with the job's id."""
    return [pid for pid in _below(installation) if _title(pid).startswith("ray::") and _UUID.search(_title(pid))]


def replicas(installation: Installation) -> list[int]:
    return [pid for pid in _below(installation) if _title(pid).startswith("ray::ServeReplica")]


def media_programs(installation: Installation) -> list[int]:
    return [pid for pid in _below(installation) if name_of(pid) == "ffmpeg" and job_of(pid) is not None]


def job_of(pid: int) -> uuid.UUID | None:
    """The job that a worker or an ffmpeg works on, as named in its title, arguments or folder."""
    places = [" ".join(command_line(pid))]
    with contextlib.suppress(OSError):
        places.append(os.readlink(f"/proc/{pid}/cwd"))
    for text in places:
        found = _UUID.search(text)
        if found:
            return uuid.UUID(found.group())
    return None


def command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return []


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _title(pid: int) -> str:
    return " ".join(command_line(pid))


def _below(installation: Installation) -> Iterator[int]:
    if installation.up is not None and installation.up.poll() is None:
        try:
            yield from list(descendants(installation.up.pid))
        except OSError:
            return
