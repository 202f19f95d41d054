"""How much of a node each kind of work requests from Ray.

A node that we start offers at least `LEAST_SLOTS` CPU slots, even if the machine has fewer cores. Slots count work and
pin nothing: on two cores the model replica (one slot) must fit beside two ffmpeg tasks and a task that only waits for
the model, or the first upload would wait for itself. ffmpeg and the models share the cores through the operating
system's scheduler.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

LEAST_SLOTS = 4
"""One model replica, one ffmpeg task, one task that waits for the model, and one free for a second user."""

OBJECT_STORE_BYTES = 512 * 1024 * 1024
"""Audio windows are about 1 MB and live for seconds; Ray's own default is 30 % of the memory."""

MEDIA_TASK_CPUS = 1.0
"""A task whose work is one ffmpeg process."""

WAITING_TASK_CPUS = 0.25
"""A task that mainly waits for a model deployment."""

SHORT_TASK_CPUS = 1.0
"""A task that waits for a model for the length of one sentence. Ray keeps one worker for each slot and starts others
for more tasks: at a quarter of a slot, 50 calls at once spent 28 core-seconds on starts of workers, their models 1."""


def cores() -> int:
    """Cores this process may use (a container's share), not the machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def node_slots() -> int:
    return max(LEAST_SLOTS, cores())


def memory_bytes() -> int | None:
    """Memory this process may use: the machine's, or its container's limit if that is lower."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text().strip()).isdigit():
        total = min(total, int(text))
    return total


def available_bytes() -> int | None:
    """Memory that is free or can be freed at once, within the container's limit; None where the system does not say."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    if limit.exists() and (text := limit.read_text().strip()).isdigit() and used.exists():
        free = min(free, int(text) - int(used.read_text()))
    return max(0, free)


def give_back_memory() -> None:
    """Return what the allocator of C holds and nobody uses to the system. It takes some milliseconds; Linux alone."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
