"""How long a program may take to start: as long as it gets on, however busy the machine is."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

from cluster.processes import session_cpu_s
from cluster.resources import cores
from cluster.supervisor.child import Child

LOOK_EVERY_S = 1.0
FIRST_WORD_AFTER_S = 30.0
WORD_EVERY_S = 30.0
"""A start takes about 10 s. From the first on, a line says that it goes on."""


async def stuck(child: Child, tell: Callable[[str], None]) -> str:
    """Return, in words, that a start gets no further; meanwhile `tell` now and then that a slow one goes on.

    Processor time measures how far a start is better than a clock does: on a machine with a load of 15 both cores
    together gave a start of 4 s of computing so little that Ray gave itself up three times after 30 s.
    """
    program = child.program
    began = moved = time.monotonic()
    word_at = began + FIRST_WORD_AFTER_S
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
        if now >= word_at:
            word_at = now + WORD_EVERY_S
            tell(f"has been starting for {now - began:.0f} s and goes on{_because_of_load()}.")


def _because_of_load() -> str:
    """The likely reason, when there is one."""
    load = os.getloadavg()[0]
    return f"; this machine is busy (load {load:.0f} on {cores()} cores)" if load > 2 * cores() else ""
