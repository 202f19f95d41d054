"""Diarization among the tasks of an installation."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.diarization.choice import choose_diarization
from serve.tasks.diarization.info import diarization_info
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.diarization.task import DIARIZATION_TASK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: DiarizationProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    choice = choose_diarization(section, settings, models_root)
    if choice.folder is None:
        return EngineInfo(DIARIZATION_TASK.name, NO_ENGINE, "", "", choice.reason)
    return diarization_info(choice.engine, choice.folder, section.device, choice.reason)


def _build_app(
    section: DiarizationProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.diarization.deployment import build_app

    return build_app(section, settings, models_root)


def _holds_model(_folder: Path, names: Set[str]) -> bool:
    return names >= {"segmentation.onnx", "embedding.onnx"} or names >= {"segmentation", "embedding"}


DEPLOYMENT: TaskDeployment[DiarizationProfile] = TaskDeployment(
    task=DIARIZATION_TASK,
    section_type=DiarizationProfile,
    title=Message("diarization.title", "Speakers"),
    explain=_explain,
    build_app=_build_app,
    engines={
        "sherpa": EngineLabel("sherpa-onnx"),
        "channels": EngineLabel(models={"channels": Message("diarization.channels", "One speaker on each channel")}),
    },
    holds_model=_holds_model,
)
