"""Which languages can be followed live: those of the engine for live speech, and of a better one that reads files."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.language import LanguageUnsupported
from api.platform.capabilities.queries import capability_of
from pipelines.language_choice import refusal, unavailable_reason
from serve.tasks.live.messages import LIVE


async def require_followed(session: AsyncSession, language: str) -> None:
    """Raises `LanguageUnsupported` where neither engine knows the language. Before one is loaded every one passes."""
    loaded = (await capability_of(session)).loaded
    if loaded is None or unavailable_reason(loaded, language) is None:
        return
    live = (await capability_of(session, LIVE)).loaded
    if live is None or unavailable_reason(live, language) is not None:
        raise LanguageUnsupported.field("language", refusal(loaded, language))
