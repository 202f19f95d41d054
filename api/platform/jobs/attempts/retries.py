"""The retry policy: how often to retry which failure, and after what wait."""

from __future__ import annotations

import random

from api.platform.jobs.states import ErrorCode

MAX_ATTEMPTS = 5
"""For failures not caused by the file: a dead worker, a lost lease, a stage that may work the next time."""

MAX_CRASHES = 2
"""For unexpected errors of a flow: one may be bad luck, two are the file's."""

ATTEMPTS: dict[ErrorCode, int] = {
    ErrorCode.STAGE: MAX_ATTEMPTS,
    ErrorCode.CRASHED: MAX_CRASHES,
    ErrorCode.INFRASTRUCTURE: MAX_ATTEMPTS,
    ErrorCode.STALLED: MAX_ATTEMPTS,
    ErrorCode.LANGUAGE_UNSUPPORTED: 1,
    ErrorCode.OVERLOADED: MAX_ATTEMPTS,
}

STORAGE_WAIT_S = 15.0
"""An attempt without storage does not count: nothing is wrong with the file, however long storage is unreachable."""

OVERLOAD_WAIT_S = 15.0
"""Wait after an attempt that a model had no room for. The model itself already let it wait for a quarter of an hour."""

OVERLOAD_ENDS_S = 24 * 3600.0
"""Attempts without room do not count for this long after the job began to wait. Then something else must be wrong."""

BACK_OFF_S = (2.0, 10.0, 30.0, 60.0)
"""Wait before attempt 2, 3, 4 and 5."""

JITTER = 0.25
"""Each wait is longer by up to this fraction, so that the jobs of a dead node do not all return at once."""


def wait_s(attempt: int) -> float:
    """Seconds from the end of this attempt (the first is 1) to the next one."""
    return spread(BACK_OFF_S[min(attempt, len(BACK_OFF_S)) - 1])


def spread(seconds: float) -> float:
    return seconds * random.uniform(1, 1 + JITTER)
