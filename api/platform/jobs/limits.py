"""All numbers of the job system."""

from __future__ import annotations

LEASE_S = 30.0
BEAT_S = 10.0
"""A lease survives two missed beats."""

POLL_S = 0.5
"""How often a dispatcher looks for work and for cancelled jobs. It also looks when one of its jobs ends."""

CLAIMS_AT_ONCE = 8
"""Most jobs that one transaction starts: claims of other dispatchers, and on SQLite all writes, wait for it."""

RAY_CHECK_S = 2.0
"""How often a dispatcher checks that its Ray cluster answers, and how long it waits for one to join."""

NODE_MARGIN_S = 15.0
"""An attempt is moved off a node that leaves this long before the node's deadline: a cancelled one may take two
`CANCEL_GRACE_S` to end, and most end by themselves before."""

REPORT_DELAY_S = 1.0
"""A job claimed less than this before Ray's report of free slots may be missing from it."""

DEMAND_EVERY_S = 5.0
"""How often a dispatcher tells Ray's autoscaler how many slots waiting and running jobs need."""

DEMAND_MAX = 500
"""Most jobs named in such a request; the size of the cluster is bounded by the autoscaler's own settings."""

JOIN_PAUSE_S = 0.2
"""Pause between two such waits, which end at once if a cluster refuses."""

PROGRESS_EVERY_S = 1.0
"""Progress is written to a job's row at most this often, because each write is an fsync on SQLite."""

TICK_EVERY_S = 0.3
"""A page gets progress at most this often."""

CANCEL_GRACE_S = 3.0
"""How long a cancelled attempt may take to end its programs before its worker process is killed."""

CANCEL_LEASE_S = 8.0
"""A cancelled job's lease is shortened to this, so that nobody waits longer for a dead owner."""

SWEEP_S = 1.0
"""How often a dispatcher looks for cancelled jobs without a live owner."""

STALL_NOTICE_S = 120.0
"""People are notified of a running job that makes no progress for this long."""

STALL_GIVE_UP_S = 1200.0
"""An attempt without progress for this long is ended and retried. A window may wait up to 15 minutes at the model
behind other people's, which is slow but no fault."""

STALL_CHECK_S = 5.0

SHUTDOWN_S = 8.0
"""From SIGTERM, or the end of the time that models get to finish, to the end of the process."""

OUTBOX_POLL_S = 0.25
OUTBOX_BATCH = 10
"""Pusher's own limit for one call of `batch_events`."""

OUTBOX_RETRY_S = (0.5, 1.0, 2.0, 5.0)
OUTBOX_TIDY_S = 600.0
"""How often we remove old messages and log topics without a delivery."""

CLEANUP_POLL_S = 1.0
CLEANUP_BATCH = 20
CLEANUP_RETRY_S = 15.0
"""Pause before we retry storage that does not answer."""

OUTBOX_KEEP_S = 24 * 3600.0
"""Sent messages are kept for a day, for anyone who investigates what was sent."""
