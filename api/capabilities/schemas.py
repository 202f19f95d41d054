from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel

from serve.capability import Capability, FetchState, engine_label
from serve.messages import EngineInfo


class ModelState(StrEnum):
    """Whether a task has a model. While it starts people may choose anything, and each job checks when it begins."""

    STARTING = "starting"
    READY = "ready"


class FetchOut(BaseModel):
    """A model download. `bytes_total` is 0 while unknown."""

    model: str
    state: FetchState
    bytes_done: int
    bytes_total: int
    sentence: str


class ModelOut(BaseModel):
    """What the installation can do for one task.

    `engine` is an id, and `label` the engine and model in words. Both are null while `state` is `starting`.
    `languages` has the codes of the model's languages, without regions.
    """

    task: str
    state: ModelState
    engine: str | None
    label: str | None
    languages: list[str]
    detects_language: bool
    fetch: FetchOut | None


def describe(capability: Capability) -> ModelOut:
    loaded, fetch = capability.loaded, capability.fetch
    return ModelOut(
        task=capability.task,
        state=state_of(loaded),
        engine=loaded.engine if loaded else None,
        label=engine_label(loaded.engine, loaded.model) if loaded else None,
        languages=sorted(loaded.languages) if loaded else [],
        detects_language=loaded is not None and loaded.detects_language,
        fetch=FetchOut(
            model=fetch.model,
            state=fetch.state,
            bytes_done=fetch.bytes_done,
            bytes_total=fetch.bytes_total,
            sentence=fetch.sentence,
        )
        if fetch
        else None,
    )


def state_of(loaded: EngineInfo | None) -> ModelState:
    return ModelState.STARTING if loaded is None else ModelState.READY
