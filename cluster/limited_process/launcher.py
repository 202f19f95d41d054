"""Run as a script by `process.py`: limit this process, tie its life to the parent's, then become the given program.

    python launcher.py PARENT_PID CPU_S ADDRESS_SPACE_BYTES FILE_BYTES NICENESS PROGRAM ARGUMENT...

Zero leaves a limit unset. A program of its own and not a `preexec_fn`: forking a Ray worker, which runs many threads
and gRPC, is unsafe before exec. Imports nothing of ours, so that it starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    parent, cpu_s, address_space_bytes, file_bytes, niceness = (int(value) for value in arguments[:5])
    program = arguments[5:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # The parent died before the line above could take effect.
    # The soft limit's SIGXCPU lets ffmpeg report why it stops; the hard one ends a program that ignores it.
    _limit(resource.RLIMIT_CPU, cpu_s, cpu_s + 5)
    _limit(resource.RLIMIT_AS, address_space_bytes, address_space_bytes)
    _limit(resource.RLIMIT_FSIZE, file_bytes, file_bytes)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if niceness:
        with contextlib.suppress(OSError):
            os.nice(niceness)
    os.execv(program[0], program)


def _limit(kind: int, soft: int, hard: int) -> None:
    if soft <= 0:
        return
    _, highest = resource.getrlimit(kind)
    if highest != resource.RLIM_INFINITY:
        soft, hard = min(soft, highest), min(hard, highest)
    resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    main(sys.argv[1:])
