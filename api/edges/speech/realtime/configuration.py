"""How a session transcribes: what its program has set, checked against what runs here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.live.service import Hints
from api.edges.speech.catalogue import require_live_model
from api.edges.speech.languages import spoken_language
from api.edges.speech.models import SpeechTask
from api.edges.speech.prompt import terms_of
from api.edges.speech.realtime.schemas import SessionIn
from api.edges.speech.requirements import require_probabilities
from api.platform.capabilities.queries import capability_of
from pipelines.language_choice import only_language
from serve.tasks.live.messages import LIVE


def updated(session: SessionIn, given: Mapping[str, Any]) -> SessionIn:
    """The session with what an update sets; the rest stays."""
    return SessionIn.model_validate(_merged(session.model_dump(), given))


def _merged(held: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(held)
    for name, value in given.items():
        before = merged.get(name)
        merged[name] = _merged(before, value) if isinstance(value, Mapping) and isinstance(before, Mapping) else value
    return merged


async def checked_language(database_session: AsyncSession, session: SessionIn) -> str:
    """The language that is spoken, as a code of the language lists, or `auto`.

    Raises `BadCall`, `ModelNotFound` and `Unavailable` for what no model here can do.
    """
    wanted = session.audio.input.transcription
    speech = await capability_of(database_session)
    if wanted.model is not None:
        require_live_model(speech, await capability_of(database_session, LIVE), wanted.model)
    # Whether a model follows it is known where the recording begins.
    language = spoken_language(None, wanted.language or only_language(speech.loaded))
    if session.include:
        require_probabilities(speech.loaded, language, SpeechTask.TRANSCRIBE)
    return language


def hints_of(session: SessionIn) -> Hints:
    wanted = session.audio.input
    return Hints(
        terms=terms_of(wanted.transcription.keywords, wanted.transcription.prompt),
        detection=None if wanted.turn_detection is None else wanted.turn_detection.detection,
    )
