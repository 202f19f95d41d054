"""Alignment among the tasks of an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.tasks.alignment.choice import ENGINE, choose_alignment
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.alignment.task import ALIGNMENT_TASK
from serve.tasks.transcription.sherpa.families.omnilingual import Omnilingual

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: AlignmentProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    return choose_alignment(section, settings, models_root).info


def _build_app(
    section: AlignmentProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.alignment.deployment import build_app

    return build_app(section, settings, models_root)


DEPLOYMENT: TaskDeployment[AlignmentProfile] = TaskDeployment(
    task=ALIGNMENT_TASK,
    section_type=AlignmentProfile,
    title=Message("alignment.title", "Times of words"),
    explain=_explain,
    build_app=_build_app,
    engines={ENGINE: Omnilingual.label},
)
