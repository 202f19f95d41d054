"""The processes of one installation, as the supervisor runs them."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from api.edges.cli.installation.serve import READY_EVENT as MODELS_READY
from api.platform.server.inheritance import READY_LINE, listeners_variable
from api.platform.settings import ApiSettings
from cluster.processes import MARK
from cluster.ray.head import RayHead
from cluster.ray.program import NAME as RAY
from cluster.ray.program import ray_program
from cluster.supervisor.program import Program, answers_http
from serve.tasks.settings import MODEL_SECRETS

DISPATCHER_READY = "dispatcher.ready"
"""Logged each time the dispatcher joins Ray; the supervisor waits for it."""

DATABASE = "database"
"""The gate that opens once the database has the newest schema."""

WEB_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(64 * 1024**2), "MALLOC_MMAP_THRESHOLD_": str(32 * 1024**2)}
"""glibc otherwise returns the memory of upload bodies to the system and gets it back for each of them: at worst the
web process then receives 1.5 instead of 2.1 GB per core-second. It keeps up to 64 MiB more."""

API, SERVE, DISPATCHER = "api", "serve", "dispatcher"

PAYMENT_SECRETS = frozenset({"SAGASCRIPT_STRIPE_SECRET_KEY", "SAGASCRIPT_STRIPE_WEBHOOK_SECRET"})
"""Variables that only the web process receives."""

DISPATCHER_SECRETS = frozenset({"SAGASCRIPT_SMTP_PASSWORD"})
"""Variables that only the dispatcher receives."""


def installation(
    settings: ApiSettings,
    *,
    head: RayHead | None,
    mark: str,
    logs: Path,
    listeners: Sequence[socket.socket] = (),
    probes: Sequence[socket.socket] = (),
) -> list[Program]:
    """Ray (unless the cluster is elsewhere), models, web process and dispatcher.

    The web process accepts connections on `listeners`, on which they wait while it starts again. Without any it listens
    by itself and has no successor. The dispatcher answers on `probes`, or listens by itself.

    Stopping takes at most 5.5 + 1.5 + 4 seconds, more with a longer drain: dispatcher, then models, then web process
    and Ray together.
    """
    every = _environment(settings, mark)
    for_web = _without(every, MODEL_SECRETS | DISPATCHER_SECRETS)
    for_dispatcher = {
        **_without(every, MODEL_SECRETS | PAYMENT_SECRETS),
        "SAGASCRIPT_DISPATCHER_PORT": str(settings.dispatcher_port),
        **listeners_variable(probes),
    }
    cluster = (RAY,) if head is not None else ()
    models = _models(_without(every, DISPATCHER_SECRETS | PAYMENT_SECRETS), cluster)
    web = web_program(settings, for_web, listeners, needs=(DATABASE,))
    dispatcher = Program(
        DISPATCHER,
        _command(DISPATCHER),
        for_dispatcher,
        # It joins Ray by itself, even after a restart, so it can load its code while Ray starts.
        needs=(DATABASE,),
        ready_line=DISPATCHER_READY,
        # When stopped it first lets models finish, then hands its jobs back.
        stop_timeout_s=settings.drain_s + 3.5,
        inherits=tuple(each.fileno() for each in probes),
    )
    return [*([ray_program(head, logs)] if head is not None else []), models, web, dispatcher]


def web_program(
    settings: ApiSettings, env: Mapping[str, str], listeners: Sequence[socket.socket], *, needs: tuple[str, ...] = ()
) -> Program:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host
    return Program(
        API,
        _command(API),
        {**env, **WEB_MEMORY, **listeners_variable(listeners)},
        needs=needs,
        ready_line=READY_LINE if listeners else None,
        check=answers_http(host, settings.port, "/api/health"),
        stop_timeout_s=4.0,
        inherits=tuple(each.fileno() for each in listeners),
        forks_server=bool(listeners),
    )


def _models(env: dict[str, str], cluster: tuple[str, ...]) -> Program:
    """The models, started alongside Ray and waiting for it: loading their code takes as long as Ray's start."""
    return Program(
        SERVE,
        _command(SERVE),
        env,
        dies_with=cluster,
        ready_line=MODELS_READY,
        # It keeps checking whether the model is loaded, which may take half an hour of downloading.
        start_cpu_s=600.0,
        stop_timeout_s=1.5,
    )


def _command(name: str) -> tuple[str, ...]:
    # Without -P, Python would prefer a folder `api` in the current folder.
    return (sys.executable, "-P", "-m", "api.main", name)


def _without(env: dict[str, str], names: frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in names}


def _environment(settings: ApiSettings, mark: str) -> dict[str, str]:
    return {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(settings.data_dir.resolve()),
        # The supervisor parses these lines; people read them in the log folder.
        "SAGASCRIPT_LOG_FORMAT": "json",
        "PYTHONUNBUFFERED": "1",
        MARK: mark,
    }
