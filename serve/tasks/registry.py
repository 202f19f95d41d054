"""Every model task that an installation offers, each with one entry."""

from __future__ import annotations

from typing import Any

from serve.core.task_deployment import TaskDeployment
from serve.tasks.diarization.registration import DIARIZATION_DEPLOYMENT
from serve.tasks.text.registration import TEXT_DEPLOYMENT
from serve.tasks.transcription.registration import TRANSCRIPTION_DEPLOYMENT
from serve.tasks.translation.registration import TRANSLATION_DEPLOYMENT

TASKS: tuple[TaskDeployment[Any], ...] = (
    TRANSCRIPTION_DEPLOYMENT,
    TRANSLATION_DEPLOYMENT,
    TEXT_DEPLOYMENT,
    DIARIZATION_DEPLOYMENT,
)

NAMES = tuple(each.task.name for each in TASKS)

REQUIRED = tuple(each.task for each in TASKS if each.is_required)
"""Tasks that must run before the product counts as ready."""


def deployment_of(task: str) -> TaskDeployment[Any]:
    """The deployment of a task, by the task's name. Raises KeyError."""
    return {each.task.name: each for each in TASKS}[task]
