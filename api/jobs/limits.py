"""Every figure of the job system, once."""

from __future__ import annotations

LEASE_S = 30.0
BEAT_S = 10.0
"""A lease outlives two missed beats."""

POLL_S = 0.5
"""How often a dispatcher looks for work, besides when a job of its own ended; a cancelled one learns of it as soon."""

RAY_CHECK_S = 2.0
"""How often a dispatcher looks whether its Ray cluster still answers, and how long it waits for one to join."""

JOIN_PAUSE_S = 0.2
"""Pause between two such waits, which end at once where a cluster refuses."""

PROGRESS_EVERY_S = 1.0
"""A job's row is written at most this often for progress: on SQLite each write is an fsync."""

TICK_EVERY_S = 0.3
"""A page is told of progress at most this often."""

CANCEL_GRACE_S = 3.0
"""Time a cancelled attempt has to end its programs before its worker process is killed."""

CANCEL_LEASE_S = 8.0
"""A cancelled job's lease is cut to this: an owner that is dead is not waited for any longer."""

SWEEP_S = 1.0
"""How often a dispatcher looks for cancelled jobs whose owner is gone."""

STALL_NOTICE_S = 120.0
"""A running job that got no further for so long says so."""

STALL_GIVE_UP_S = 1200.0
"""After so long without getting further an attempt is given up and tried again. The model may make a window wait up
to 15 minutes behind other people's, which is slow and no fault."""

STALL_CHECK_S = 5.0

SHUTDOWN_S = 8.0
"""From SIGTERM to the end of the process."""

OUTBOX_POLL_S = 0.25
OUTBOX_BATCH = 10
"""Pusher's own limit for one call of `batch_events`."""

OUTBOX_RETRY_S = (0.5, 1.0, 2.0, 5.0)
OUTBOX_TIDY_S = 600.0
"""How often old messages are removed, and topics that nobody delivers are logged."""

CLEANUP_POLL_S = 1.0
CLEANUP_BATCH = 20
CLEANUP_RETRY_S = 15.0
"""How long storage that does not answer is left alone."""

OUTBOX_KEEP_S = 24 * 3600.0
"""Published rows are kept a day, for a person who looks for what was sent."""
