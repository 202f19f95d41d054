"""Live transcription among the tasks of an installation."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.live.choice import choose_live
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.sherpa.registry import FAMILIES, family_of
from serve.tasks.live.task import LIVE_TASK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: LiveProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    return choose_live(section, settings, models_root).info


def _build_app(
    section: LiveProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.live.deployment import build_app

    return build_app(section, settings, models_root)


def _holds_model(folder: Path, _names: Set[str]) -> bool:
    return family_of(folder) is not None


DEPLOYMENT: TaskDeployment[LiveProfile] = TaskDeployment(
    task=LIVE_TASK,
    section_type=LiveProfile,
    title=Message("live.title", "Live speech"),
    explain=_explain,
    build_app=_build_app,
    engines={family.name: family.label for family in FAMILIES},
    holds_model=_holds_model,
)
