"""`sagascript dispatcher`: claim jobs and run them on the Ray cluster."""

from __future__ import annotations

import asyncio

from api.cli.console import sentences
from api.cli.settings import settings_with

READY_EVENT = "dispatcher.ready"
"""Logged once it has joined Ray; the supervisor waits for it."""


def dispatcher() -> None:
    """Claim jobs from the database and run them on the Ray cluster."""
    settings = settings_with()
    import structlog

    from api.jobs.dispatcher import run_dispatcher
    from cluster.logging import configure_logging
    from cluster.ray_runtime import RayUnreachable, connect, disconnect

    configure_logging("dispatcher", settings)
    with sentences(RayUnreachable):
        address = connect(settings)
        try:
            structlog.get_logger("dispatcher").info(READY_EVENT, ray=address)
            asyncio.run(run_dispatcher(settings))
        finally:
            disconnect()
