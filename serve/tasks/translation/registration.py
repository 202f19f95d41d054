"""Translation among the tasks of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: TranslationProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    from serve.tasks.translation.choice import explain

    return explain(section, settings, models_root)


def _build_app(
    section: TranslationProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.translation.deployment import build_app

    return build_app(section, settings, models_root, replicas_download=replicas_download)


TRANSLATION_DEPLOYMENT: TaskDeployment[TranslationProfile] = TaskDeployment(
    task=TRANSLATION,
    section_type=TranslationProfile,
    title="Translation",
    explain=_explain,
    build_app=_build_app,
    reloads_itself=True,
)
