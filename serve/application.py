"""Puts the model applications on a Ray cluster, waits for them, takes them away. The caller has joined Ray already."""

from __future__ import annotations

import re
import time
from pathlib import Path

import ray
import structlog
from ray import serve as ray_serve
from ray.serve import RunTarget
from ray.serve.config import ProxyLocation
from ray.serve.schema import ApplicationStatus, ApplicationStatusOverview

from serve.profile import Profile
from serve.settings import ModelSettings
from serve.transcription.names import APP_NAME

log = structlog.get_logger(__name__)

POLL_S = 0.2

_ERROR_NAME = re.compile(r"^[\w.]+: ")


class DeployFailed(RuntimeError):
    """An application did not start; the message holds what Serve says about it."""


def deploy(
    profile: Profile,
    *,
    settings: ModelSettings | None = None,
    models_root: Path | None = None,
    replicas_download: bool = False,
) -> None:
    """Start or update every application of the profile. Returns before they are ready: see `wait_ready`.

    With `replicas_download` each replica fetches a missing model when it starts; else it looks for one in the models
    folder until one is there.
    Serve's HTTP proxies stay off: everything here is called by handle.
    """
    from serve.transcription.deployment import build_app

    if not ray.is_initialized():
        raise DeployFailed("This process has not joined a Ray cluster. Start one with `sagascript up`.")
    # Before `run_many`, which would start the proxies.
    ray_serve.start(proxy_location=ProxyLocation.Disabled)
    app = build_app(profile, settings, models_root, replicas_download=replicas_download)
    ray_serve.run_many([RunTarget(app, APP_NAME, route_prefix=None)], wait_for_applications_running=False)
    log.info("applications.deployed", profile=profile.name)


def wait_ready(timeout_s: float = 120.0) -> None:
    """Wait until every application answers. Raises DeployFailed with the reason when one never will, or not in time."""
    deadline = time.monotonic() + timeout_s
    while True:
        application = ray_serve.status().applications.get(APP_NAME)
        status = application.status if application else ApplicationStatus.NOT_STARTED
        if status is ApplicationStatus.RUNNING:
            return
        message = _why(application)
        if status is ApplicationStatus.DEPLOY_FAILED:
            raise DeployFailed(f"The speech model did not start: {message}")
        if time.monotonic() >= deadline:
            raise DeployFailed(f"The speech model is not ready after {timeout_s:.0f} seconds ({status}): {message}")
        time.sleep(POLL_S)


def is_ready() -> bool:
    """Whether every application answers now."""
    application = ray_serve.status().applications.get(APP_NAME)
    return application is not None and application.status is ApplicationStatus.RUNNING


def shutdown() -> None:
    """Stop every application and Serve itself. The Ray cluster stays."""
    ray_serve.shutdown()  # type: ignore[no-untyped-call]


def _why(application: ApplicationStatusOverview | None) -> str:
    """What Serve knows about an application that does not run. Of a traceback, the error's own words."""
    if application is None:
        return "it was not deployed."
    messages = [deployment.message for deployment in application.deployments.values() if deployment.message]
    last_lines = [message.strip().splitlines()[-1] for message in messages]
    return " ".join(_ERROR_NAME.sub("", line) for line in last_lines) or application.message
