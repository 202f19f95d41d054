"""Faults, and how soon the installation must recover from each."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    API = "kill-api"
    UPLOADS = "kill-uploads"
    RELAY = "kill-relay"
    DISPATCHER = "kill-dispatcher"
    WORKER = "kill-worker"
    FFMPEG = "kill-ffmpeg"
    REPLICA = "kill-replica"
    GCS = "kill-gcs"
    RAYLET = "kill-raylet"
    REDIS = "kill-redis"
    POSTGRES = "kill-postgres"
    SUSPEND_DISPATCHER = "suspend-dispatcher"
    SUSPEND_WORKER = "suspend-worker"
    SUSPEND_REPLICA = "suspend-replica"
    SUSPEND_API = "suspend-api"
    DISK_FULL = "disk-full"
    CUT_DATABASE = "cut-database"
    CUT_REDIS = "cut-redis"
    STOP_ALL = "stop-all"
    SUPERVISOR = "kill-supervisor"


BACK_WITHIN_S: dict[Kind, float] = {
    Kind.API: 5,
    Kind.UPLOADS: 5,
    Kind.RELAY: 5,
    Kind.DISPATCHER: 45,
    Kind.WORKER: 45,
    Kind.FFMPEG: 45,
    Kind.REPLICA: 45,
    Kind.GCS: 120,
    Kind.RAYLET: 120,
    Kind.REDIS: 10,
    Kind.POSTGRES: 10,
    Kind.SUSPEND_DISPATCHER: 60,
    Kind.SUSPEND_WORKER: 60,
    Kind.SUSPEND_REPLICA: 60,
    Kind.SUSPEND_API: 60,
    Kind.DISK_FULL: 10,
    Kind.CUT_DATABASE: 10,
    Kind.CUT_REDIS: 10,
    Kind.STOP_ALL: 120,
    Kind.SUPERVISOR: 120,
}
"""Seconds to recovery, from the fault or from its end if it has one (a server that is up again, a mended cable, a disk
with room). Recovered means: the process answers, or each job hit is claimed again or has ended. After a stop of
everything the time counts from the new start, which begins with Ray's."""
