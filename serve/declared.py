"""The model applications as a RayService declares them: each task and `health` is an `import_path` of `serveConfigV2`.

Profile, models folder and models come from the environment of the node that builds the application, as everywhere.
`sagascript serve --watch` then only watches what runs. See `benchmarks/manifests/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ray import serve as ray_serve
from ray.serve import Application
from ray.serve.schema import ApplicationStatus
from starlette.requests import Request
from starlette.responses import JSONResponse

from cluster.settings import get_cluster_settings
from serve.application import DeployFailed
from serve.core.settings import ModelSettings
from serve.profile import load_profile
from serve.tasks import NAMES
from serve.tasks.registry import REQUIRED, deployment_of

Arguments = dict[str, Any]
"""What Serve passes to a builder: the `args` of the application. Ours take none."""


def __getattr__(task: str) -> Callable[[Arguments], Application]:
    """The builder of a task's application, by the task's name."""
    if task not in NAMES:
        raise AttributeError(task)
    return lambda _args: _application(task)


def _application(task: str) -> Application:
    """Raises DeployFailed with what the task lacks; Serve reports it as the application's message."""
    settings, models = get_cluster_settings(), ModelSettings()
    profile, deployment = load_profile(settings.profile), deployment_of(task)
    found = deployment.application(profile, models, settings.models_root, replicas_download=True)
    if found is None:
        raise DeployFailed(deployment.explain_in(profile, models, settings.models_root).reason)
    return found


class Health:
    """Answers over HTTP whether the required models run: 200 or 503, with the state of every application.

    It is the only application with a route. KubeRay counts a RayService as ready once its service has an endpoint, and
    a cluster whose applications have no route has none.
    """

    async def __call__(self, _request: Request) -> JSONResponse:
        applications = (await asyncio.to_thread(ray_serve.status)).applications
        states = {name: application.status.value for name, application in applications.items()}
        is_ready = all(states.get(task.name) == ApplicationStatus.RUNNING.value for task in REQUIRED)
        if is_ready:
            return JSONResponse({"applications": states})
        return JSONResponse({"applications": states}, status_code=503, headers={"Retry-After": "5"})


def health(_args: Arguments) -> Application:
    return ray_serve.deployment(num_replicas=1, ray_actor_options={"num_cpus": 0})(Health).bind()
