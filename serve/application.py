"""Deploys the model applications on a Ray cluster, waits for them and removes them. The caller has joined Ray."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
import structlog
from ray import serve as ray_serve
from ray.serve import Application, RunTarget
from ray.serve.config import ProxyLocation
from ray.serve.schema import ApplicationStatus, ApplicationStatusOverview

from cluster.settings import get_cluster_settings
from serve.core.sentences import NOT_STARTED
from serve.core.settings import ModelSettings
from serve.core.task import ModelTask
from serve.core.task_deployment import TaskDeployment
from serve.profile import Profile
from serve.tasks.registry import REQUIRED, TASKS

log = structlog.get_logger(__name__)

POLL_S = 0.2

_ON_THEIR_WAY = ("STARTING", "UPDATING", "RECOVERING")
_ERROR_NAME = re.compile(r"^[\w.]+: ")


class DeployFailed(RuntimeError):
    """An application did not start; the message is what Serve reports about it."""


def deploy(
    profile: Profile,
    *,
    settings: ModelSettings | None = None,
    models_root: Path | None = None,
    replicas_download: bool = False,
    tasks: Sequence[TaskDeployment[Any]] = TASKS,
) -> None:
    """Start or update the application of each task that can run here. Returns before they are ready: see `wait_ready`.

    With `replicas_download` each replica downloads a missing model when it starts; else it looks for one in the models
    folder until one is there. Settings and models folder default to those of this process.
    """
    settings = settings or ModelSettings()
    models_root = models_root or get_cluster_settings().models_root
    applications = {}
    for each in tasks:
        application = each.application(profile, settings, models_root, replicas_download=replicas_download)
        if application is not None:
            applications[each.task.name] = application
    start(applications)
    log.info("applications.deployed", profile=profile.name, tasks=list(applications))


def start(applications: Mapping[str, Application], version: str = "") -> None:
    """Start or update these applications beside others, by name of their task.

    An application that runs with the same `version` keeps its replicas, which take their new limits as they run. With
    another one, or none, they are replaced. Serve's HTTP proxies stay off: everything here is called by handle.
    """
    if not ray.is_initialized():
        raise DeployFailed("This process has not joined a Ray cluster. Start one with `sagascript up`.")
    # Before `run_many`, which would start the proxies.
    ray_serve.start(proxy_location=ProxyLocation.Disabled)
    targets = [
        RunTarget(_of_version(application, version), name, route_prefix=None)
        for name, application in applications.items()
    ]
    ray_serve.run_many(targets, wait_for_applications_running=False)


def _of_version(application: Application, version: str) -> Application:
    """Serve gives each deployment by program a random version, so that even a new limit would restart its replicas.

    Only its configuration files have versions of their own, and they need the dashboard process, which we do not run.
    `serve/tests/on_ray/test_changes.py` guards the attribute and the option used here.
    """
    if not version:
        return application
    return Application(application._bound_deployment.options(version=version, _internal=True))


def wait_ready(timeout_s: float = 120.0, tasks: Sequence[ModelTask[Any, Any]] = REQUIRED) -> None:
    """Wait until every task answers. Raises DeployFailed with the reason when one never will, or not in time."""
    deadline = time.monotonic() + timeout_s
    for task in tasks:
        _wait_for(task, deadline, timeout_s)


def _wait_for(task: ModelTask[Any, Any], deadline: float, timeout_s: float) -> None:
    while True:
        application = ray_serve.status().applications.get(task.name)
        status = application.status if application else ApplicationStatus.NOT_STARTED
        if status is ApplicationStatus.RUNNING:
            return
        message = _why(application)
        if status is ApplicationStatus.DEPLOY_FAILED:
            raise DeployFailed(NOT_STARTED(model=task.model, message=message))
        if time.monotonic() >= deadline:
            raise DeployFailed(f"The {task.model} is not ready after {timeout_s:.0f} seconds ({status}): {message}")
        time.sleep(POLL_S)


def is_ready(tasks: Sequence[ModelTask[Any, Any]] = REQUIRED) -> bool:
    """Whether every task answers now."""
    applications = ray_serve.status().applications
    return all(
        task.name in applications and applications[task.name].status is ApplicationStatus.RUNNING for task in tasks
    )


@dataclass(frozen=True, slots=True)
class ApplicationReport:
    """What Serve reports about an application. `message` says why it does not run."""

    is_running: bool
    has_failed: bool
    """Serve no longer tries to start it."""
    replicas_fail: bool
    """Serve keeps trying to start a replica, which fails each time."""
    replicas: int
    """Replicas that take requests."""
    starting: int
    stopping: int
    message: str


def report_on(task: str) -> ApplicationReport:
    """The application of a task, by its name; one that was never deployed neither runs nor has failed."""
    application = ray_serve.status().applications.get(task)
    if application is None:
        return ApplicationReport(False, False, False, 0, 0, 0, _why(None))
    deployments = application.deployments.values()
    # Serve reports these states by name; its enumeration is not public.
    states: Counter[str] = Counter()
    for each in deployments:
        states.update({str(state): count for state, count in each.replica_states.items()})
    replicas_fail = any(
        each.status.value == "UNHEALTHY" and each.status_trigger.value == "REPLICA_STARTUP_FAILED"
        for each in deployments
    )
    return ApplicationReport(
        is_running=application.status is ApplicationStatus.RUNNING,
        has_failed=application.status is ApplicationStatus.DEPLOY_FAILED,
        replicas_fail=replicas_fail,
        replicas=states["RUNNING"],
        starting=sum(states[name] for name in _ON_THEIR_WAY),
        stopping=states["STOPPING"],
        message=_why(application),
    )


def is_deployed(task: str) -> bool:
    return task in ray_serve.status().applications


def remove(task: str) -> None:
    """Stop the application of a task, if there is one."""
    if is_deployed(task):
        ray_serve.delete(task)


def shutdown() -> None:
    """Stop every application and Serve itself. The Ray cluster stays."""
    ray_serve.shutdown()


def _why(application: ApplicationStatusOverview | None) -> str:
    """What Serve reports about an application that does not run: a traceback's last line, without the error's name."""
    if application is None:
        return "it was not deployed."
    messages = [deployment.message for deployment in application.deployments.values() if deployment.message]
    last_lines = [message.strip().splitlines()[-1] for message in messages]
    return " ".join(_ERROR_NAME.sub("", line) for line in last_lines) or application.message
