"""The speech models that programs may name: those that are loaded, and OpenAI's name for the default."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.speech.errors import ModelNotFound
from api.edges.speech.schemas import ServedModel
from api.platform.capabilities.models import CapabilityRow
from api.platform.capabilities.queries import capability_of
from api.platform.http.errors import Unavailable
from serve.core.capability import Capability
from serve.tasks.transcription.messages import TRANSCRIPTION

DEFAULT = "whisper-1"
OWNER = "sagascript"
NO_MODEL = "No speech model runs here, so there is no transcription. An administrator can see why under Models."


async def served_models(session: AsyncSession) -> list[ServedModel]:
    """The default first. Empty where no transcription is possible."""
    names = _names(await capability_of(session))
    if not names:
        return []
    statement = select(CapabilityRow.updated_at).where(CapabilityRow.task == TRANSCRIPTION)
    since: datetime | None = await session.scalar(statement)
    created = 0 if since is None else int(since.timestamp())
    return [ServedModel(id=name, created=created, owned_by=OWNER) for name in names]


async def find_model(session: AsyncSession, name: str) -> ServedModel:
    """Raises `Unavailable` where no transcription is possible, and `ModelNotFound`."""
    models = await served_models(session)
    wanted = _listed(name, [model.id for model in models])
    return next(model for model in models if model.id == wanted)


def require_model(capability: Capability, name: str) -> None:
    """Raises `Unavailable` where no transcription is possible, and `ModelNotFound`."""
    _listed(name, _names(capability))


def require_live_model(capability: Capability, live: Capability, name: str) -> None:
    """The same for speech that is followed live, which another model may do first."""
    followed = [] if live.loaded is None or not live.may_work else [_name_of(live.loaded.model)]
    _listed(name, [*_names(capability), *followed])


def _listed(name: str, names: Sequence[str]) -> str:
    if not names:
        raise Unavailable(NO_MODEL)
    found = next((each for each in names if each in (name, _name_of(name))), None)
    if found is None:
        raise ModelNotFound(name, names)
    return found


def _names(capability: Capability) -> list[str]:
    """The default first. Empty where no transcription is possible."""
    if not capability.may_work:
        return []
    loaded = capability.loaded
    return list(dict.fromkeys([DEFAULT] if loaded is None else [DEFAULT, _name_of(loaded.model)]))


def _name_of(model: str) -> str:
    """The last part of a name or of a folder, whose place on the server is for administrators alone.

    Models of single languages follow in brackets. Programs choose those by the language.
    """
    return PurePath(model.partition(" (")[0]).name
