"""Casing as a task of an installation: its model is a file in the models folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ray.serve import Application

from cluster.testing.patience import PATIENCE_S
from serve.core.capability import Capability, TaskState
from serve.core.capability_store import published
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.replica.deployment import model_application
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.profile import Profile, profile_of
from serve.task_watch import TaskWatch
from serve.tests.casing import CASING, Caser, CasingEngine, CasingProfile

NO_HUB = ModelSettings(allow_hub=False)


def profile(engine: str, **fields: object) -> Profile:
    task = {"engine": engine, "models": ["tiny"], "hub": False, "num_cpus": 0.5, **fields}
    return profile_of("test", {"transcription": task})


class CasedProfile(Profile):
    casing: CasingProfile | None = None


class BrokenCaser(Caser):
    def __init__(self, profile: CasingProfile) -> None:
        raise RuntimeError("The weights are damaged.")


def casing_deployment(replica: type[Caser] = Caser) -> TaskDeployment[CasingProfile]:
    """Casing as a task of an installation; its model is a file in the models folder."""

    def explain(section: CasingProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
        if not (models_root / "casing.model").exists():
            return EngineInfo(CASING.name, NO_ENGINE, "", "", f"{models_root} holds no casing model.")
        return replace(CasingEngine().info, reason="Its file is there.")

    def build_app(
        section: CasingProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
    ) -> Application:
        return model_application(replica, section, section)

    return TaskDeployment(task=CASING, section_type=CasingProfile, title="Casing", explain=explain, build_app=build_app)


def watch_of(deployment: TaskDeployment[CasingProfile], models_root: Path, **options: Any) -> TaskWatch:
    whole = CasedProfile(name="test", casing=CasingProfile(num_cpus=0.1, workers=1, unload_after_s=2))
    return TaskWatch(deployment, whole, NO_HUB, models_root, **options)


def until_state(watch: TaskWatch, state: TaskState) -> Capability:
    def reached() -> bool:
        watch.step()
        return watch.state is state

    until(reached)
    return published(CASING.name)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)
