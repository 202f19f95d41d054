"""Every figure of the job system, once."""

from __future__ import annotations

LEASE_S = 30.0
BEAT_S = 10.0
"""A lease outlives two missed beats."""

MAX_ATTEMPTS = 5
"""For failures that are not the file's fault: a dead worker, a lost lease, a stage that may work the next time."""

MAX_CRASHES = 2
"""For a flow that ended with an error it did not foresee: once may be bad luck, twice is the file."""

BACK_OFF_S = (2.0, 10.0, 30.0, 60.0)
"""Wait before attempt 2, 3, 4 and 5."""

POLL_S = 0.5
"""How often a dispatcher with a free slot looks for work, and how soon a running attempt learns it is cancelled."""

RAY_CHECK_S = 2.0
"""How often a dispatcher looks whether its Ray cluster still answers, and tries to join one when it has none."""

PROGRESS_EVERY_S = 1.0
"""A job's row is written at most this often for progress: on SQLite each write is an fsync."""

TICK_EVERY_S = 0.3
"""A page is told of progress at most this often."""

CANCEL_GRACE_S = 5.0
"""Time a cancelled attempt has to end its programs before its worker process is killed."""

SHUTDOWN_S = 8.0
"""From SIGTERM to the end of the process."""

OUTBOX_POLL_S = 0.25
OUTBOX_BATCH = 10
"""Pusher's own limit for one call of `batch_events`."""

OUTBOX_RETRY_S = (0.5, 1.0, 2.0, 5.0)
OUTBOX_KEEP_S = 24 * 3600.0
"""Published rows are kept a day, for a person who looks for what was sent."""
