"""`sagascript serve`: deploy the models on the Ray cluster and watch over them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import out, sentences
from api.edges.cli.settings import settings_with
from cluster.lasting import lasting

if TYPE_CHECKING:
    from cluster.settings import ClusterSettings
    from serve.task_watch import TaskWatch
    from serve.tasks.transcription.background import Background

READY_EVENT = "models.ready"
"""Logged once every required model answers; the supervisor waits for it."""

CHANGED_EVENT = "models.changed"

_WATCH_EVERY_S = 5.0
_STARTING_EVERY_S = 0.2
_OTHERS_AFTER_S = 60.0
"""The other tasks wait this long at most for speech recognition: the first captions come first."""
_WAIT_FOR_RAY_S = 60.0
"""After each interval a log line says what we wait for. Ray may take as long as the machine needs."""


def serve(
    stop: Annotated[bool, typer.Option(help="Remove the models from the cluster and exit.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Deploy nothing: a RayService does. Watch the models and report them.")
    ] = False,
) -> None:
    """Deploy the models on the Ray cluster and keep them running until stopped. They outlive this process."""
    settings = settings_with()
    with lasting():
        from cluster.logs.logging import configure_logging
        from cluster.ray.runtime import RayUnreachable, connect
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
        _deploy_and_watch(deploys=not watch)


def _join(settings: ClusterSettings) -> None:
    import structlog

    from cluster.ray.runtime import RayUnreachable, connect

    log = structlog.get_logger("serve")
    while True:
        try:
            connect(settings, wait_s=_WAIT_FOR_RAY_S)
        except RayUnreachable as error:
            log.info("serve.waiting_for_ray", error=str(error))
        else:
            return


def _deploy_and_watch(*, deploys: bool) -> None:
    import structlog

    from cluster.heartbeat import beat, heartbeat_file
    from cluster.settings import get_cluster_settings
    from serve.application import DeployFailed
    from serve.catalogue.order_worker import OrderWorker
    from serve.core.capability import TaskState
    from serve.core.settings import ModelSettings
    from serve.profile_file import ProfileFile
    from serve.task_watch import TaskWatch
    from serve.tasks.registry import TASKS
    from serve.tasks.transcription.background import Background, publish_to_cluster
    from serve.tasks.transcription.messages import TRANSCRIPTION
    from serve.tasks.transcription.profile import TranscriptionProfile

    settings, models = get_cluster_settings(), ModelSettings()
    log = structlog.get_logger("serve")
    profiles = ProfileFile(settings.profile)
    profile = profiles.profile
    # Replicas on a cluster elsewhere cannot read our folder, and a profile without the offline engine cannot wait.
    replicas_download = settings.ray_address is not None or profile.require(TranscriptionProfile).engine == "whisper"

    def watch_of(task: str) -> TaskWatch:
        deployment = next(each for each in TASKS if each.task.name == task)
        return TaskWatch(
            deployment, profile, models, settings.models_root, replicas_download=replicas_download, deploys=deploys
        )

    speech = watch_of(TRANSCRIPTION)
    others = [watch_of(each.task.name) for each in TASKS if each.task.name != TRANSCRIPTION]
    OrderWorker(settings.models_root, models).start()
    begun = time.monotonic()
    background: Background | None = None
    info = None
    alive = heartbeat_file(settings, "serve")
    while True:
        beat(alive)
        if profiles.has_changed():
            for watch in (speech, *others):
                watch.use(profiles.profile, profiles.problem)
        speech.step()
        if speech.state is TaskState.FAILED:
            # The supervisor starts this program again, which deploys anew.
            raise DeployFailed(speech.sentence())
        if speech.loaded is not None and speech.loaded != info:
            loaded = speech.loaded
            facts = {"task": loaded.task, "engine": loaded.engine, "model": loaded.model, "device": loaded.device}
            log.info(READY_EVENT if info is None else CHANGED_EVENT, **facts, reason=loaded.reason)
            if info is None and not replicas_download:
                publish_to_cluster(None)
                background = Background(
                    profile.require(TranscriptionProfile), models, settings.models_root, publish=publish_to_cluster
                )
                background.start()
            info = loaded
        if background is not None and info is not None:
            background.observe(info)
        if info is not None or time.monotonic() - begun >= _OTHERS_AFTER_S:
            for watch in others:
                watch.step()
        time.sleep(_STARTING_EVERY_S if info is None else _WATCH_EVERY_S)
