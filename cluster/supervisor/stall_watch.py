"""How long a program may take to start: as long as it makes progress, however busy the machine is."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

from cluster.processes import session_cpu_s
from cluster.resources import cores
from cluster.supervisor.child import Child

LOOK_EVERY_S = 1.0
FIRST_NOTICE_AFTER_S = 30.0
NOTICE_EVERY_S = 30.0
"""A start takes about 10 s. After the first interval a line says that it is still going."""


async def until_stalled(child: Child, notify: Callable[[str], None]) -> str:
    """Return a description once a start makes no more progress; call `notify` now and then while a slow one runs.

    Processor time measures the progress of a start better than a clock: on a machine with a load of 15, a start that
    needs 4 s of computing got so little of the two cores that Ray timed out three times after 30 s.
    """
    program = child.program
    began = moved = time.monotonic()
    notice_at = began + FIRST_NOTICE_AFTER_S
    seen = (0.0, 0)
    while True:
        await asyncio.sleep(min(LOOK_EVERY_S, program.start_stall_s / 2))
        cpu_s = await asyncio.to_thread(session_cpu_s, child.pid)
        now = time.monotonic()
        if (cpu_s, child.lines) != seen:
            seen, moved = (cpu_s, child.lines), now
        if now - moved >= program.start_stall_s:
            return f"did nothing for {now - moved:.0f} s while it was starting"
        if cpu_s >= program.start_cpu_s:
            return f"was not ready after {cpu_s:.0f} s of processor time"
        if now >= notice_at:
            notice_at = now + NOTICE_EVERY_S
            notify(f"has been starting for {now - began:.0f} s and goes on{_because_of_load()}.")


def _because_of_load() -> str:
    """The likely reason, if there is one."""
    load = os.getloadavg()[0]
    return f"; this machine is busy (load {load:.0f} on {cores()} cores)" if load > 2 * cores() else ""
