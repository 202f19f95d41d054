"""The models that one can get: what is there, what is on its way, and what may be removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.catalogue_schemas import CatalogueOut, OrderOut
from api.platform.capabilities.queries import capabilities
from api.platform.http.errors import Conflict, Invalid, NotFound
from cluster.wording.message import Message, Wording
from serve.catalogue.entry import Entry, catalogue, entry_named
from serve.catalogue.installed import InstalledModel, installed_models, is_used_by, remove
from serve.catalogue.orders import Order, Orders
from serve.catalogue.refusal import refusal
from serve.core.capability import Capability, TaskState
from serve.core.settings import ModelSettings
from serve.tasks.registry import deployment_of

UNKNOWN = Wording(
    "capabilities.unknown",
    "The catalogue has no model “{name}”. Choose one of its list, or name a model of the hub as `owner/name`.",
)
NOT_INSTALLED = Wording("capabilities.not_installed", "The model “{name}” is not on this machine.")
ALREADY_HERE = Wording("capabilities.already_here", "The model “{name}” is on this machine already.")
NO_ACCESS = Wording(
    "capabilities.no_access", "The models folder cannot be changed ({problem}). Change its permissions."
)


async def running_models(session: AsyncSession) -> list[Capability]:
    """Tasks whose model is in memory."""
    return [each for each in await capabilities(session) if each.state is TaskState.READY]


def entries(models_root: Path, settings: ModelSettings, running: Sequence[Capability]) -> list[CatalogueOut]:
    """The curated models, then others that are on this machine or on their way."""
    installed = {model.name: model for model in installed_models(models_root)}
    orders = {placed.name: placed for placed in Orders(models_root).all()}
    known = [entry.name for entry in catalogue()]
    others = [name for name in (*installed, *orders) if name not in known]
    return [
        _described(name, entry_named(name), installed.get(name), orders.get(name), settings, running)
        for name in dict.fromkeys((*known, *others))
    ]


def order(name: str, models_root: Path, settings: ModelSettings) -> Order:
    """Ask for a model. Raises NotFound, Conflict and Invalid."""
    entry = entry_or_refusal(name)
    if (reason := refusal(entry, settings)) is not None:
        raise Invalid(reason)
    if any(model.name == entry.name for model in installed_models(models_root)):
        raise Conflict(ALREADY_HERE(name=entry.name))
    try:
        return Orders(models_root).place(entry.name)
    except OSError as error:
        raise Conflict(NO_ACCESS(problem=str(error.strerror))) from error


def discard(name: str, models_root: Path, running: Sequence[Capability]) -> InstalledModel | None:
    """Remove a model, or the order for it; returns what was removed from the disk. Raises NotFound and Conflict."""
    entry = entry_named(name)
    wanted = entry.name if entry else name
    orders = Orders(models_root)
    had_order = orders.get(wanted) is not None
    orders.end(wanted)
    model = next((each for each in installed_models(models_root) if each.name == wanted), None)
    if model is None:
        if had_order:
            return None
        raise NotFound(NOT_INSTALLED(name=name))
    if (task := _user(model, running)) is not None:
        title = deployment_of(task).title
        raise Conflict(
            Message(
                "capabilities.model_in_use",
                "{title} is using the model “{name}”. Choose another model for it or wait until it is "
                "idle, then remove it.",
                title=title,
                name=model.name,
            )
        )
    try:
        remove(model)
    except OSError as error:
        raise Conflict(NO_ACCESS(problem=str(error.strerror))) from error
    return model


def entry_or_refusal(name: str) -> Entry:
    """The entry of a name. Raises NotFound."""
    entry = entry_named(name)
    if entry is None:
        raise NotFound(UNKNOWN(name=name))
    return entry


def _user(model: InstalledModel, running: Sequence[Capability]) -> str | None:
    """The task that has the model in memory."""
    return next((each.task for each in running if each.loaded and is_used_by(model, each.loaded)), None)


def _described(
    name: str,
    entry: Entry | None,
    model: InstalledModel | None,
    placed: Order | None,
    settings: ModelSettings,
    running: Sequence[Capability],
) -> CatalogueOut:
    is_listed = entry is not None and entry in catalogue()
    size = entry.size_mb * 1_000_000 if entry is not None and entry.size_mb is not None else None
    return CatalogueOut(
        name=name,
        task=model.task if model and not is_listed else entry.task if entry else "",
        title=entry.title if entry else name,
        summary=(entry.about or "") if entry else "",
        licence=entry.licence if entry else "",
        is_noncommercial=entry is not None and entry.is_noncommercial,
        languages=_list(entry.languages) if entry else None,
        pairs=_list(entry.pairs) if entry else None,
        size_bytes=model.size_bytes if model else size,
        conversion=entry.conversion if entry else None,
        obstacle=refusal(entry, settings) if entry and model is None else None,
        installed=model.where if model else None,
        is_in_use=model is not None and _user(model, running) is not None,
        order=OrderOut(
            state=placed.state,
            bytes_done=placed.bytes_done,
            bytes_total=placed.bytes_total,
            sentence=placed.sentence,
        )
        if placed
        else None,
    )


def _list(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None or isinstance(names, str) else list(names)
