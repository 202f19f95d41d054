from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.platform.capabilities.schemas import ModelOut
from api.platform.http.pages.language import PageText


class ReplicaOut(BaseModel):
    """One process that holds a model. `model` is in words, `memory` in bytes of the process.

    `gpu_used` and `gpu_total` are those of its GPUs, whoever uses them. `max_batch` and `batch_wait_ms` are the limits
    it runs with. What the node does not say is null.
    """

    id: str
    node: str
    address: str
    device: str
    model: str
    is_busy: bool
    memory: int | None
    gpu_used: int | None
    gpu_total: int | None
    max_batch: int | None
    batch_wait_ms: int | None


class LoadedOut(ModelOut):
    """One task, with what only administrators see: where its model runs, why this one, and since when.

    `profile_problem` is a sentence that says why the newest profile is not used.
    """

    device: str | None
    model: str | None
    reason: PageText | None
    changed_at: datetime | None
    replicas: list[ReplicaOut]
    starting: int
    stopping: int
    profile_problem: PageText | None


class ModelsOut(BaseModel):
    """`models_folder` and `hub_cache` are where models lie; `free_bytes` is what fits beside them.

    `read_at` is when replicas were last read from the cluster; `problem` says that it cannot be reached now.
    """

    tasks: list[LoadedOut]
    read_at: datetime | None
    problem: PageText | None
    models_folder: str
    hub_cache: str
    free_bytes: int
    downloads_allowed: bool
    noncommercial_allowed: bool
