"""The commands of `sagascript` that run one process each, and the one that prepares the database for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import fail, out, sentences
from api.edges.cli.installation.web_process import Host, Port, run_web_process
from api.edges.cli.settings import settings_with
from api.platform.settings import ApiSettings
from cluster.lasting import lasting

if TYPE_CHECKING:
    from api.platform.jobs.job_type import JobTypes
    from api.platform.server.web import WebServer


def job_types() -> JobTypes:
    """Every kind of job. Whoever queues work must have loaded them: they enter their prices."""
    from api.job_types import JOB_TYPES

    return JOB_TYPES


def api(host: Host = None, port: Port = None) -> None:
    """Run the web process."""
    run_web_process("api", _load_api, host=host, port=port)


def uploads(host: Host = None, port: Port = None) -> None:
    """Run the upload server on its own."""
    run_web_process("uploads", _load_uploads, host=host, port=port)


def relay(host: Host = None, port: Port = None) -> None:
    """Run the realtime relay on its own."""
    run_web_process("relay", _load_relay, host=host, port=port)


def dispatcher() -> None:
    """Claim jobs from the database and run them on the Ray cluster."""
    settings = settings_with()
    with lasting():
        from api.dispatcher import run
        from cluster.logs.logging import configure_logging

    configure_logging("dispatcher", settings)
    run(settings, job_types())


def migrate(
    new: Annotated[
        str | None, typer.Option(help="Write a migration to the models of this checkout, with this description.")
    ] = None,
) -> None:
    """Bring the database to the newest schema."""
    settings = settings_with()
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.failures import reason
    from api.platform.db.migrate import UnfitDatabase, new_revision, upgrade_now

    shown = make_url(settings.db_url).render_as_string(hide_password=True)
    try:
        if new is not None:
            from api.tables import metadata

            asyncio.run(new_revision(settings.db_url, new, metadata))
            out.print("The migration is written. Read it before you run `sagascript migrate`.")
            return
        with sentences(UnfitDatabase):
            upgrade_now(settings.db_url)
    except (SQLAlchemyError, OSError) as error:
        raise fail(f"The database {shown} cannot be migrated: {reason(error)}.") from None
    out.print(f"The database {shown} has the newest schema.", soft_wrap=True)


def _load_api() -> Callable[[ApiSettings], WebServer]:
    from api.app import create_server

    return create_server


def _load_uploads() -> Callable[[ApiSettings], WebServer]:
    from api.processes import upload_server

    return upload_server


def _load_relay() -> Callable[[ApiSettings], WebServer]:
    from api.processes import relay_server

    return relay_server
