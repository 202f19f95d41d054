"""`sagascript models`: the models that one can get, those on this machine, and their removal."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from api.edges.cli.console import err, fail, out, sentences
from api.edges.cli.settings import settings_with
from api.edges.cli.upkeep.compare import compare_models
from api.platform.settings import ApiSettings
from serve.tasks import NAMES

if TYPE_CHECKING:
    from api.platform.capabilities.catalogue_schemas import CatalogueOut
    from serve.catalogue.entry import Entry
    from serve.core.capability import Capability

app = typer.Typer(help="List, get and remove models.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A name from `sagascript models list`, or `owner/name` of the model hub.")]

_LONGEST_WAIT_S = 60.0


app.command("compare")(compare_models)


@app.command("list")
def list_models(
    task: Annotated[str | None, typer.Option(help=f"Only this task: {', '.join(NAMES)}.")] = None,
) -> None:
    """List the models that one can get and those on this machine."""
    settings = settings_with()
    from api.platform.capabilities.catalogue import entries
    from serve.core.settings import ModelSettings
    from serve.tasks.registry import TASKS

    found = entries(settings.models_root, ModelSettings(), _running(settings))
    titles = {each.task.name: each.title for each in TASKS}
    tasks = list(dict.fromkeys(model.task for model in found))
    if task is not None and task not in tasks:
        raise fail(f"There is no task “{task}”. Tasks are: {', '.join(tasks)}.")
    width = max(len(model.name) for model in found)
    for each in tasks if task is None else [task]:
        out.print(f"\n[bold]{escape(titles.get(each, each))}[/]")
        for model in found:
            if model.task == each:
                out.print(_line(model, width), soft_wrap=True)
    out.print(f"\nThe models folder is {escape(str(settings.models_root))}.", soft_wrap=True)


@app.command("profile")
def show_profile() -> None:
    """Print the profile in use as YAML: the beginning of one of your own."""
    settings = settings_with()
    import yaml

    from serve.profile import BadProfile, load_profile

    with sentences(BadProfile):
        profile = load_profile(settings.profile)
    sections = profile.model_dump(mode="json", exclude={"name"}, exclude_unset=True)
    out.print(yaml.safe_dump(sections, sort_keys=False).rstrip(), markup=False, highlight=False, soft_wrap=True)


@app.command("pull")
def pull_model(name: Name) -> None:
    """Download a model into the models folder. A second call continues where the first one ended."""
    settings = settings_with()
    from cluster.logs.logging import configure_logging
    from serve.download.problems import HubRefused, NoRoom, Stopped

    configure_logging("models", settings.model_copy(update={"log_level": "error"}))
    entry = _entry(name)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    try:
        with Progress(*columns, console=err, transient=True) as bar:
            shown = bar.add_task(escape(entry.title), total=None)
            folder = _persist(entry, settings, stop, lambda done, total: bar.update(shown, completed=done, total=total))
    except (HubRefused, NoRoom) as problem:
        raise fail(str(problem)) from None
    except Stopped:
        raise fail("Stopped. What has arrived stays; the same command continues.", code=130) from None
    except OSError as problem:
        raise fail(f"{settings.models_root} cannot be written ({problem.strerror}).") from None
    out.print(f"“{escape(entry.title)}” is in {escape(str(folder))}. A running installation loads it by itself.")


@app.command("remove")
def remove_model(name: Name) -> None:
    """Delete a model from this machine."""
    settings = settings_with()
    from api.platform.capabilities.catalogue import discard
    from api.platform.http.errors import ApiError

    try:
        removed = discard(name, settings.models_root, _running(settings))
    except ApiError as problem:
        raise fail(problem.message) from None
    if removed is None:
        out.print(f"The download of “{escape(name)}” was stopped.")
        return
    out.print(f"“{escape(removed.name)}” was removed: {removed.size_bytes / 1e6:.0f} MB are free again.")


def _entry(name: str) -> Entry:
    from api.platform.capabilities.catalogue import entry_or_refusal
    from api.platform.http.errors import NotFound

    try:
        return entry_or_refusal(name)
    except NotFound as unknown:
        raise fail(unknown.message) from None


def _persist(entry: Entry, settings: ApiSettings, stop: threading.Event, progress: Callable[[int, int], None]) -> Any:
    """Try again while the hub or the network does not answer."""
    from serve.catalogue.pull import pull
    from serve.core.settings import ModelSettings
    from serve.download.problems import Damaged, HubAway, Stopped
    from serve.download.supply import MAX_DAMAGED

    wait_s, damaged, begun = 1.0, 0, time.monotonic()
    while True:
        try:
            return pull(entry, settings.models_root, ModelSettings(), progress=progress, stop=stop)
        except Damaged as problem:
            damaged += 1
            if damaged == MAX_DAMAGED:
                raise fail(f"The download arrived damaged {damaged} times: {problem}.") from None
        except HubAway as problem:
            if time.monotonic() - begun >= _LONGEST_WAIT_S:
                raise fail(f"The download stopped: {problem}. The same command continues it.") from None
            err.print(f"{escape(str(problem))}; trying again …", soft_wrap=True)
        if stop.wait(wait_s):
            raise Stopped
        wait_s *= 2


def _running(settings: ApiSettings) -> list[Capability]:
    """Tasks whose model is in memory; none where no installation runs on this data folder."""
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.failures import reason
    from cluster.ray.runtime import announced_address

    if announced_address(settings) is None:
        return []
    try:
        return asyncio.run(_read_running(settings))
    except (SQLAlchemyError, OSError) as error:
        raise fail(f"The database cannot be read, so it is unknown which models are in use: {reason(error)}.") from None


async def _read_running(settings: ApiSettings) -> list[Capability]:
    from api.platform.capabilities.catalogue import running_models
    from api.platform.db.engine import Database

    database = Database(settings.db_url)
    try:
        async with database.read() as session:
            return await running_models(session)
    finally:
        await database.close()


def _line(model: CatalogueOut, width: int) -> str:
    mark = "[green]here[/]" if model.installed else "[dim]  – [/]"
    size = f"{model.size_bytes / 1e6:,.0f} MB" if model.size_bytes else ""
    state = "in use" if model.is_in_use else "in the hub cache" if model.installed == "hub_cache" else ""
    if model.order is not None:
        state = model.order.sentence
    elif model.conversion is not None and not model.installed:
        state = f"to convert: {model.conversion}" if not model.is_noncommercial else model.obstacle or ""
    facts = [model.title, ", ".join(model.pairs or model.languages or ()), model.licence, size, state]
    return f"{mark}  {escape(model.name):<{width}}  {escape(' · '.join(fact for fact in facts if fact))}"
