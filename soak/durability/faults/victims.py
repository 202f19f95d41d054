"""Which processes of the installation a fault hits, found by name below the processes that we started."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

from cluster.testing.processes import descendants
from soak.durability.servers.installation import Installation

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OWN_PROGRAMS = "api.cli.main"


def program(place: Installation, name: str) -> list[int]:
    """A program of the supervisor (`api`, `dispatcher`) and the one of that name beside it."""
    kept = place.beside.get(name)
    found = [kept.pid] if kept is not None and kept.pid is not None else []
    for pid in _below(place):
        words = command_line(pid)
        if _OWN_PROGRAMS in words and words[-1:] == [name]:
            found.append(pid)
    return found


def named(place: Installation, *names: str) -> list[int]:
    """Programs whose file is called so (`gcs_server`, `raylet`)."""
    return [pid for pid in _below(place) if Path((command_line(pid) or [""])[0]).name in names]


def workers(place: Installation) -> list[int]:
    """Ray workers that run an attempt: Ray gives them the task's name, which ends with the job's id."""
    return [pid for pid in _below(place) if _title(pid).startswith("ray::") and _UUID.search(_title(pid))]


def replicas(place: Installation) -> list[int]:
    return [pid for pid in _below(place) if _title(pid).startswith("ray::ServeReplica")]


def media_programs(place: Installation) -> list[int]:
    return [pid for pid in _below(place) if name_of(pid) == "ffmpeg" and job_of(pid) is not None]


def job_of(pid: int) -> uuid.UUID | None:
    """The job that a worker or an ffmpeg works for: named in its title, its arguments or its folder."""
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


def _below(place: Installation) -> Iterator[int]:
    if place.up is not None and place.up.poll() is None:
        try:
            yield from list(descendants(place.up.pid))
        except OSError:
            return
