"""The speech models that programs may name: those that are loaded, and OpenAI's name for the default."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.capabilities.models import CapabilityRow
from api.capabilities.queries import capability_of
from api.http.errors import Unavailable
from api.speech.errors import ModelNotFound
from api.speech.schemas import ServedModel
from serve.capability import TRANSCRIPTION

DEFAULT = "whisper-1"
OWNER = "sagascript"
NO_MODEL = "No speech model runs here, so there is no transcription. An administrator can see why under Models."


async def served_models(session: AsyncSession) -> list[ServedModel]:
    """The default first. Empty where no transcription is possible."""
    capability = await capability_of(session)
    if not capability.may_work:
        return []
    statement = select(CapabilityRow.updated_at).where(CapabilityRow.task == TRANSCRIPTION)
    since: datetime | None = await session.scalar(statement)
    names = [DEFAULT]
    if capability.loaded is not None:
        names.append(_name_of(capability.loaded.model))
    created = 0 if since is None else int(since.timestamp())
    return [ServedModel(id=name, created=created, owned_by=OWNER) for name in dict.fromkeys(names)]


async def find_model(session: AsyncSession, name: str) -> ServedModel:
    """Raises `Unavailable` where no transcription is possible, and `ModelNotFound`."""
    models = await served_models(session)
    if not models:
        raise Unavailable(NO_MODEL)
    found = next((model for model in models if model.id in (name, _name_of(name))), None)
    if found is None:
        raise ModelNotFound(name, [model.id for model in models])
    return found


def _name_of(model: str) -> str:
    """The last part of a name or of a folder, whose place on the server is for administrators alone.

    Models of single languages follow in brackets. Programs choose those by the language.
    """
    return PurePath(model.partition(" (")[0]).name
