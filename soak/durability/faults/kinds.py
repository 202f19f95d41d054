"""What is done to the installation, and how soon it must be back."""

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
    FREEZE_DISPATCHER = "freeze-dispatcher"
    FREEZE_WORKER = "freeze-worker"
    FREEZE_REPLICA = "freeze-replica"
    FREEZE_API = "freeze-api"
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
    Kind.FREEZE_DISPATCHER: 60,
    Kind.FREEZE_WORKER: 60,
    Kind.FREEZE_REPLICA: 60,
    Kind.FREEZE_API: 60,
    Kind.DISK_FULL: 10,
    Kind.CUT_DATABASE: 10,
    Kind.CUT_REDIS: 10,
    Kind.STOP_ALL: 120,
    Kind.SUPERVISOR: 120,
}
"""Seconds from the fault, or from its end where it has one (a server that is up again, a mended cable, a disk with
room), to the moment when what it hit works again: the process answers, or each job that it hit is claimed once more or
has ended. A stop of everything counts from the new start, which begins with Ray's."""
