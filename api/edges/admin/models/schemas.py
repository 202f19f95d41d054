from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.platform.capabilities.schemas import ModelOut
from api.platform.http.pages.language import PageText
from serve.core.messages import WordTimes


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


class EvidenceOut(BaseModel):
    """What was measured of a speech engine on the sample. `speed` is seconds of sound for each second of work.

    `errors` is the word error rate in percent, `memory` bytes of its process. They are null where `problem` says why it
    could not be measured. `languages` is empty where it takes many that are not listed.
    """

    name: str
    label: PageText
    errors: float | None
    speed: float | None
    memory: int | None
    languages: list[str]
    word_times: WordTimes
    punctuates: bool
    takes_vocabulary: bool
    licence: str | None
    problem: PageText | None


class ComparisonOut(BaseModel):
    """The last comparison of speech engines. `words` are those spoken in the sample, `advice` what it says."""

    sample: str
    seconds: float
    words: int
    measured_at: datetime
    engines: list[EvidenceOut]
    advice: PageText | None


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
    comparison: ComparisonOut | None
