"""Fork web processes from one that has loaded their code, so that one that is killed has a successor at once.

Loading it takes 2 s of processor time, on a busy machine up to a minute. A fork takes 20 ms, and shares the memory.
"""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

import structlog

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
"""Wait before a fork, doubled each time up to the longest while processes are killed soon after."""
STEADY_AFTER_S = 30.0
"""After a process that served this long, the first wait applies again."""
_STOPS = (signal.SIGTERM, signal.SIGINT)

log = structlog.get_logger(__name__)


def fork_successors() -> None:
    """Return in each process that shall serve. The calling process forks them, one after the other, and never returns.

    It must have opened nothing yet: no database, thread or event loop. It ends with SIGTERM or SIGINT, which it passes
    on, and when a process that serves ends by itself.
    """
    server = 0
    stops = False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal stops
        stops = True
        if server == 0:
            raise SystemExit(0)
        os.kill(server, number)

    for number in _STOPS:
        signal.signal(number, stop)
    wait_s = FIRST_WAIT_S
    while True:
        began = time.monotonic()
        # A signal between the fork and the handlers of the new process would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
        server = os.fork()
        if server == 0:
            for number in _STOPS:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
            return
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
        code = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
        server = 0
        if stops or code >= 0:
            raise SystemExit(max(code, 0))
        log.warning("web.killed", signal=signal.Signals(-code).name)
        if time.monotonic() - began > STEADY_AFTER_S:
            wait_s = FIRST_WAIT_S
        time.sleep(wait_s)
        wait_s = min(LONGEST_WAIT_S, wait_s * 2)
