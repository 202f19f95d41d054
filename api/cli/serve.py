"""`sagascript serve`: deploy the models on the Ray cluster and watch over them."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.console import out, sentences
from api.cli.settings import settings_with

if TYPE_CHECKING:
    from cluster.settings import ClusterSettings

READY_EVENT = "models.ready"
"""Logged once every model answers; the supervisor waits for it."""

CHANGED_EVENT = "models.changed"

_WATCH_EVERY_S = 5.0
_DESCRIBE_S = 30.0
_WAIT_FOR_RAY_S = 60.0
"""After each interval a log line says what we wait for. Ray may take as long as the machine needs."""


def serve(
    stop: Annotated[bool, typer.Option(help="Remove the models from the cluster and exit.")] = False,
) -> None:
    """Deploy the models on the Ray cluster and keep them running until stopped. They outlive this process."""
    settings = settings_with()
    from cluster.logging import configure_logging
    from cluster.ray_runtime import RayUnreachable, connect
    from serve.application import DeployFailed, shutdown
    from serve.profile import BadProfile

    configure_logging("serve", settings)
    with sentences(RayUnreachable, DeployFailed, BadProfile):
        if stop:
            connect(settings)
            shutdown()
            out.print("The models were removed from the cluster.")
            return
        _join(settings)
        _deploy_and_watch()


def _join(settings: ClusterSettings) -> None:
    import structlog

    from cluster.ray_runtime import RayUnreachable, connect

    log = structlog.get_logger("serve")
    while True:
        try:
            connect(settings, wait_s=_WAIT_FOR_RAY_S)
        except RayUnreachable as error:
            log.info("serve.waiting_for_ray", error=str(error))
        else:
            return


def _deploy_and_watch() -> None:
    import structlog

    from cluster.settings import get_cluster_settings
    from serve.application import DeployFailed, deploy, is_ready, wait_ready
    from serve.capability import TRANSCRIPTION
    from serve.capability_store import publish_loaded
    from serve.download.background import Background, publish_to_cluster
    from serve.messages import EngineInfo, EngineRefused
    from serve.profile import load_profile
    from serve.settings import ModelSettings
    from serve.transcriber import TranscriberClient

    settings, models = get_cluster_settings(), ModelSettings()
    log = structlog.get_logger("serve")
    profile = load_profile(settings.profile)
    # Replicas on a cluster elsewhere cannot read our folder, and a profile without the offline engine cannot wait.
    replicas_download = settings.ray_address is not None or profile.transcription.engine == "whisper"
    deploy(profile, settings=models, models_root=settings.models_root, replicas_download=replicas_download)
    wait_ready(timeout_s=1800.0)  # A replica that downloads may need half an hour.
    background: Background | None = None
    with TranscriberClient(deadline_s=_DESCRIBE_S) as client:
        info: EngineInfo | None = None
        missed = 0
        while missed < 12:
            loaded = info
            # A busy model or one being replaced does not answer; until it does, the last answer stays true.
            with suppress(EngineRefused):
                loaded = client.describe()
            if loaded is not None and loaded != info:
                publish_loaded(TRANSCRIPTION, loaded)
                facts = {"task": loaded.task, "engine": loaded.engine, "model": loaded.model, "device": loaded.device}
                log.info(READY_EVENT if info is None else CHANGED_EVENT, **facts, reason=loaded.reason)
                if info is None and not replicas_download:
                    publish_to_cluster(None)
                    background = Background(
                        profile.transcription, models, settings.models_root, publish=publish_to_cluster
                    )
                    background.start()
                info = loaded
            if background is not None and info is not None:
                background.observe(info)
            time.sleep(_WATCH_EVERY_S)
            # Serve replaces a dead replica by itself; only an application that stays down needs a new deployment.
            missed = 0 if is_ready() else missed + 1
    raise DeployFailed("The models have not answered for a minute.")
