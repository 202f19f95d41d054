"""Diarization among the tasks of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.diarization.choice import choose_diarization
from serve.tasks.diarization.info import diarization_info
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.diarization.task import DIARIZATION

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: DiarizationProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    choice = choose_diarization(section, settings, models_root)
    if choice.folder is None:
        return EngineInfo(DIARIZATION.name, NO_ENGINE, "", "", choice.reason)
    return diarization_info(choice.engine, choice.folder, section.device, choice.reason)


def _build_app(
    section: DiarizationProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.diarization.deployment import build_app

    return build_app(section, settings, models_root)


DIARIZATION_DEPLOYMENT: TaskDeployment[DiarizationProfile] = TaskDeployment(
    task=DIARIZATION, section_type=DiarizationProfile, title="Speakers", explain=_explain, build_app=_build_app
)
