"""The admin page of models: what each replica uses, and what it says while nobody reaches the cluster."""

from __future__ import annotations

from typing import Any

from ray.exceptions import RayError
from sqlalchemy import update

from api.edges.admin.models.routes import CLUSTER_AWAY
from api.platform.capabilities.models import ReplicaRow
from api.platform.capabilities.replica_recorder import ReplicaRecorder
from api.platform.db import clock
from api.platform.db.engine import Database
from api.testing.browser import Browser
from serve.core.replica_messages import BatchLimits, GpuMemory, ReplicaReport, TaskReplicas
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.tasks.translation.messages import TRANSLATION

GB = 1_000_000_000
PROBLEM = "The profile has wrong entries. The profile read before stays in use."
LIMITS = BatchLimits(max_queued=1000, max_batch=64, wait_ms=30)
ON_ITS_GPU = GpuMemory(5 * GB, 80 * GB)
ON_GPU = ReplicaReport(
    "a1",
    7,
    "gpu-1",
    "10.0.0.4",
    "whisper",
    "/models/large-v3",
    "cuda",
    True,
    3 * GB,
    GpuMemory(5 * GB, 80 * GB),
    LIMITS,
)
ON_CPU = ReplicaReport("b2", 1, "cpu-1", "10.0.0.5", "whisper", "/models/large-v3", "cpu", False, None)


async def shown(admin: Browser) -> dict[str, Any]:
    answer = await admin.get("/api/admin/models")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def unreachable() -> dict[str, TaskReplicas]:
    raise RayError("no cluster")


async def test_each_replica_shows_where_it_runs_and_what_it_takes(
    admin: Browser, ada: Browser, database: Database
) -> None:
    before = await shown(admin)
    assert (before["problem"], before["read_at"]) == (CLUSTER_AWAY, None)
    found = {
        TRANSCRIPTION: TaskReplicas((ON_GPU, ON_CPU), starting=1),
        TRANSLATION: TaskReplicas(stopping=2, profile_problem=PROBLEM),
    }
    await ReplicaRecorder(database, lambda: found)()
    now = await shown(admin)
    assert now["problem"] is None
    tasks = {task["task"]: task for task in now["tasks"]}
    speech, translation = tasks[TRANSCRIPTION], tasks[TRANSLATION]
    assert (speech["starting"], translation["stopping"], translation["replicas"]) == (1, 2, [])
    first, second = speech["replicas"]
    assert (first["node"], first["device"], first["is_busy"], first["memory"]) == ("gpu-1", "cuda", True, 3 * GB)
    assert (first["gpu_used"], first["gpu_total"], first["model"]) == (5 * GB, 80 * GB, "Whisper large-v3")
    assert (first["max_batch"], first["batch_wait_ms"]) == (64, 30)
    assert (second["memory"], second["gpu_used"], second["max_batch"]) == (None, None, None)
    assert (speech["profile_problem"], translation["profile_problem"]) == (None, PROBLEM)
    assert (await ada.get("/api/admin/models")).status_code == 403


async def test_figures_that_nobody_renews_are_not_shown_as_true(admin: Browser, database: Database) -> None:
    await ReplicaRecorder(database, lambda: {TRANSCRIPTION: TaskReplicas((ON_GPU,))})()
    await ReplicaRecorder(database, unreachable)()
    assert (await shown(admin))["problem"] is None, "one look without an answer says nothing yet"
    async with database.write() as session:
        await session.execute(update(ReplicaRow).values(read_at=clock.now(-3600)))
    later = await shown(admin)
    assert later["problem"] == CLUSTER_AWAY
    assert later["read_at"] is not None
    assert all(task["replicas"] == [] for task in later["tasks"])
