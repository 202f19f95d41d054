"""`sagascript up`: run everything on this machine under one supervisor until Ctrl-C."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from rich.markup import escape

from api.edges.cli.console import lasting_err as err
from api.edges.cli.console import lasting_out as out
from api.edges.cli.console import printable, sentences
from api.edges.cli.installation.model_lines import ModelLines
from api.edges.cli.installation.programs import API, DATABASE, SERVE, installation
from api.edges.cli.settings import settings_with
from api.platform.http.pages.missing_build import NOT_BUILT
from api.platform.settings import ApiSettings
from cluster.ports import PortTaken, listen, listen_once
from cluster.private_folder import NotPrivate
from cluster.ray.head import plan_head
from cluster.resources import give_back_memory
from cluster.supervisor.folder import CannotStart, claim
from cluster.supervisor.supervisor import Supervisor
from pipelines.media.sample import SAMPLE

if TYPE_CHECKING:
    from api.edges.cli.installation.demo import Demo

JobTypesLoader: TypeAlias = Callable[[], object]
"""Loads every kind of job, which enters their prices."""

_SHOWN_LEVELS = {"warning", "error", "critical"}


def up_with(job_types: JobTypesLoader) -> Callable[..., None]:
    """The command. `job_types` stand above it."""

    def up(
        host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
        port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
        data_dir: Annotated[Path | None, typer.Option(help="Folder for all data.")] = None,
        offline: Annotated[
            bool, typer.Option("--offline", help="Download no speech model; use those on this machine.")
        ] = False,
        verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every log line.")] = False,
    ) -> None:
        """Start everything on this machine and print its address. Ctrl-C stops it."""
        settings = settings_with(
            host=host,
            port=port,
            data_dir=data_dir.resolve() if data_dir else None,
            allow_hub=False if offline else None,
        )
        folder = settings.data_dir.resolve()
        with sentences(CannotStart, NotPrivate, PortTaken), claim(folder):
            listeners = listen(settings.host, settings.port)
            probes = _probe_listeners(settings)
            if probes:
                settings = settings.model_copy(update={"dispatcher_port": probes[0].getsockname()[1]})
            asyncio.run(_run(settings, folder, listeners, probes, job_types, verbose=verbose))

    return up


def _probe_listeners(settings: ApiSettings) -> list[socket.socket]:
    """Where the dispatcher will answer, unless a port is set. Listened on here: a port that is only chosen may be taken
    by the time the dispatcher has started."""
    if settings.dispatcher_port:
        return []
    try:
        return [listen_once(settings.dispatcher_host, 0)]
    except OSError as error:
        raise CannotStart(
            f"The dispatcher cannot listen on {settings.dispatcher_host} ({error.strerror}). "
            "Choose another address with SAGASCRIPT_DISPATCHER_HOST."
        ) from None


async def _run(
    settings: ApiSettings,
    folder: Path,
    listeners: list[socket.socket],
    probes: list[socket.socket],
    job_types: JobTypesLoader,
    *,
    verbose: bool,
) -> None:
    mark = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    logs = folder / "logs"
    head = plan_head(settings, mark) if settings.ray_address is None else None
    fetching = ModelLines()
    supervisor = Supervisor(
        installation(settings, head=head, mark=mark, logs=logs, listeners=listeners, probes=probes),
        logs=logs,
        mark=mark,
        report=_report,
        on_line=_show_all if verbose else partial(_show_important, fetching),
        gates=(DATABASE,),
    )
    stop_requested = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop_requested.set)
    running = asyncio.create_task(_start_and_announce(supervisor, settings, logs, fetching, job_types))
    stopping = asyncio.create_task(stop_requested.wait())
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        running.cancel()
        stopping.cancel()
        out.print("Stopping …")
        # Once the web process has ended too, the port refuses connections.
        for listener in (*listeners, *probes):
            listener.close()
        await supervisor.stop()
        out.print("Stopped.")


async def _start_and_announce(
    supervisor: Supervisor, settings: ApiSettings, logs: Path, fetching: ModelLines, job_types: JobTypesLoader
) -> None:
    """Start, print the address once the web server answers, show the sample's first lines, then watch forever."""
    starting = asyncio.create_task(supervisor.start())
    try:
        with err.status("Starting the web server …"):
            # Loading the database code takes a second, during which Ray can start.
            await _first_of(starting, supervisor.until_launched(SERVE))
            demo = await _prepare(supervisor, settings, job_types)
            await _first_of(starting, supervisor.until_ready(API))
        _print_address(settings, demo, logs)
        following = asyncio.create_task(_show_sample(settings, demo))
        try:
            await starting
            await following
        finally:
            following.cancel()
    finally:
        starting.cancel()
    fetching.release()
    give_back_memory()
    await supervisor.watch()


async def _first_of(starting: asyncio.Task[None], waiting: Coroutine[Any, Any, None]) -> None:
    """Wait for `waiting`, but raise at once if `starting` fails first."""
    task = asyncio.create_task(waiting)
    try:
        await asyncio.wait({starting, task}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
    finally:
        task.cancel()


def _print_address(settings: ApiSettings, demo: Demo | None, logs: Path) -> None:
    url = settings.base_url.replace("//0.0.0.0", "//127.0.0.1")
    out.print(f"\n[bold green]Sagascript is running at {escape(url)}[/]", soft_wrap=True)
    if demo is not None:
        out.print(f"Sign in as [bold]{escape(demo.email)}[/] with the password [bold]{escape(demo.password)}[/]")
    else:
        out.print(f"Sign in, or create an account at {escape(url)}/register", soft_wrap=True)
    if not (settings.ui_root / "index.html").is_file():
        err.print(NOT_BUILT, style="yellow", soft_wrap=True)
    dispatcher = f"http://{_bracketed(settings.dispatcher_host)}:{settings.dispatcher_port}"
    out.print(f"Health: {escape(url)}/readyz and {escape(dispatcher)}/readyz (dispatcher)", soft_wrap=True)
    out.print(f"Logs are in {escape(str(logs))}. Ctrl-C stops everything.\n", soft_wrap=True)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def _show_sample(settings: ApiSettings, demo: Demo | None) -> None:
    if demo is not None and demo.sample_slug is not None:
        from api.edges.cli.installation.follow import print_captions

        await print_captions(settings, demo)


async def _prepare(supervisor: Supervisor, settings: ApiSettings, job_types: JobTypesLoader) -> Demo | None:
    """Migrate the database and, in a new installation, create the demo account."""
    from sqlalchemy.exc import SQLAlchemyError

    from api.edges.cli.installation.demo import demo_password, ensure_demo
    from api.platform.db.engine import Database
    from api.platform.db.failures import reason
    from api.platform.db.migrate import UnfitDatabase, upgrade
    from cluster.storage.objects import StorageUnavailable
    from cluster.storage.opening import open_storage

    try:
        await upgrade(settings.db_url)
    except UnfitDatabase as error:
        raise CannotStart(str(error)) from None
    except (SQLAlchemyError, OSError) as error:
        raise CannotStart(f"The database cannot be migrated: {reason(error)}.") from None
    database = Database(settings.db_url)
    try:
        storage = open_storage(settings)
        demo = None
        if settings.makes_demo:
            # Its file is queued here, and work is queued with its price.
            job_types()
            password = demo_password(settings.data_dir)
            demo = await ensure_demo(
                database,
                storage,
                sample=SAMPLE,
                work=settings.work_root,
                password=password,
                billing=settings.billing,
            )
    except StorageUnavailable as error:
        raise CannotStart(f"Storage cannot be used: {error}. `sagascript doctor` checks it.") from None
    finally:
        await database.close()
    supervisor.open_gate(DATABASE)
    return demo


def _report(name: str, sentence: str) -> None:
    err.print(f"[yellow]{name}[/] {escape(printable(sentence))}", soft_wrap=True)


def _show_all(name: str, line: str) -> None:
    err.print(f"[dim]{name:>10}[/] {escape(printable(line))}", soft_wrap=True)


def _show_important(fetching: ModelLines, name: str, line: str) -> None:
    """Print warnings and errors of our own processes; the log files have everything."""
    try:
        entry = json.loads(line)
    except ValueError:
        return
    if not isinstance(entry, dict) or fetching.take(entry) or entry.get("level") not in _SHOWN_LEVELS:
        return
    hidden = {"level", "event", "timestamp", "process", "exception", "logger"}
    details = " ".join(f"{key}={value}" for key, value in entry.items() if key not in hidden)
    event = printable(str(entry.get("event")))
    err.print(f"[yellow]{name}[/] {escape(event)} [dim]{escape(printable(details))}[/]", soft_wrap=True)
