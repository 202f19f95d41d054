"""How often what is tried again, and after which wait: the one place that decides."""

from __future__ import annotations

import random

from api.jobs.states import ErrorCode

MAX_ATTEMPTS = 5
"""For failures that are not the file's fault: a dead worker, a lost lease, a stage that may work the next time."""

MAX_CRASHES = 2
"""For a flow that ended with an error it did not foresee: once may be bad luck, twice is the file."""

ATTEMPTS: dict[ErrorCode, int] = {
    ErrorCode.STAGE: MAX_ATTEMPTS,
    ErrorCode.CRASHED: MAX_CRASHES,
    ErrorCode.INFRASTRUCTURE: MAX_ATTEMPTS,
    ErrorCode.STALLED: MAX_ATTEMPTS,
    ErrorCode.LANGUAGE_UNSUPPORTED: 1,
}

STORAGE_WAIT_S = 15.0
"""An attempt that met no storage does not count: nothing is wrong with the file, however long storage is away."""

BACK_OFF_S = (2.0, 10.0, 30.0, 60.0)
"""Wait before attempt 2, 3, 4 and 5."""

JITTER = 0.25
"""Each wait is longer by up to this part: the jobs of a node that died do not all come back in one moment."""


def wait_s(attempt: int) -> float:
    """Seconds from the end of this attempt, counted from 1, to the next one."""
    return BACK_OFF_S[min(attempt, len(BACK_OFF_S)) - 1] * random.uniform(1, 1 + JITTER)
