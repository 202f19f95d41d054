"""`sagascript dispatcher`: claim jobs and run them on the Ray cluster."""

from __future__ import annotations

from api.edges.cli.settings import settings_with
from cluster.lasting import lasting

READY_EVENT = "dispatcher.ready"
"""Logged each time the dispatcher joins Ray; the supervisor waits for it."""


def dispatcher() -> None:
    """Claim jobs from the database and run them on the Ray cluster."""
    settings = settings_with()
    with lasting():
        from api.dispatcher import run
        from api.job_types import JOB_TYPES
        from cluster.logs.logging import configure_logging

    configure_logging("dispatcher", settings)
    run(settings, JOB_TYPES)
