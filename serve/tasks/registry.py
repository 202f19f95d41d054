"""Every model task that an installation offers: the `DEPLOYMENT` of each folder's `registration.py`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from serve.core.task_deployment import TaskDeployment
from serve.tasks import NAMES

TASKS: tuple[TaskDeployment[Any], ...] = tuple(
    import_module(f"serve.tasks.{name}.registration").DEPLOYMENT for name in NAMES
)

REQUIRED = tuple(each.task for each in TASKS if each.is_required)
"""Tasks that must run before the product counts as ready."""


def deployment_of(task: str) -> TaskDeployment[Any]:
    """The deployment of a task, by the task's name. Raises KeyError."""
    return {each.task.name: each for each in TASKS}[task]
