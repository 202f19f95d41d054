"""Live transcription among the tasks of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.live.choice import choose_live
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: LiveProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    return choose_live(section)


def _build_app(
    section: LiveProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.live.deployment import build_app

    return build_app(section)


DEPLOYMENT: TaskDeployment[LiveProfile] = TaskDeployment(
    task=LIVE_TASK,
    section_type=LiveProfile,
    title=Message("live.title", "Live speech"),
    explain=_explain,
    build_app=_build_app,
)
