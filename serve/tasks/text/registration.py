"""AI text among the tasks of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.text.profile import TextProfile
from serve.tasks.text.task import TEXT_WORK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: TextProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    from serve.chat.settings import ChatSettings
    from serve.tasks.text.choice import choose_text

    return choose_text(section, ChatSettings().endpoint, models_root).info


def _build_app(
    section: TextProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.chat.settings import ChatSettings
    from serve.tasks.text.deployment import build_app

    return build_app(section, ChatSettings().endpoint, models_root)


TEXT_DEPLOYMENT: TaskDeployment[TextProfile] = TaskDeployment(
    task=TEXT_WORK, section_type=TextProfile, title="AI text", explain=_explain, build_app=_build_app
)
