"""Which languages a file may have, and why one is refused."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.queries import capability_of
from api.platform.http.errors import Invalid
from cluster.wording.message import Message
from pipelines.language_choice import refusal, unavailable_reason
from pipelines.languages import AUTO, is_known
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED

UNKNOWN_LANGUAGE = Message("files.unknown_language", "This language is not supported. Choose one from the list.")


class LanguageUnsupported(Invalid):
    """The loaded speech model cannot transcribe the chosen language."""

    code = LANGUAGE_UNSUPPORTED


def require_known(language: str) -> None:
    """Raise `Invalid` unless the code is in the language lists, or `auto`."""
    if not is_known(language) and language != AUTO:
        raise Invalid.field("language", UNKNOWN_LANGUAGE)


async def require_usable(session: AsyncSession, language: str) -> None:
    """Raise `Invalid`, or `LanguageUnsupported` when the loaded model does not support the language."""
    require_known(language)
    loaded = (await capability_of(session)).loaded
    if loaded is not None and unavailable_reason(loaded, language) is not None:
        raise LanguageUnsupported.field("language", refusal(loaded, language))
