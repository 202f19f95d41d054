"""Which languages captions can be translated into now."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.capabilities.queries import capability_of
from api.http.errors import Invalid
from api.translations.schemas import TargetLanguage
from pipelines.flows.messages import LANGUAGE_UNSUPPORTED
from pipelines.languages import BROAD, REGIONAL, LanguageOption
from pipelines.translation_choice import refusal, unavailable_reason, via
from serve.capability import TRANSLATION
from serve.messages import EngineInfo

class PairUnsupported(Invalid):
    """The loaded model cannot translate into the chosen language."""

    code = LANGUAGE_UNSUPPORTED


async def target_languages(session: AsyncSession, source: str) -> list[TargetLanguage]:
    """The broad list, then its regional forms. What cannot be translated now says why."""
    capability = await capability_of(session, TRANSLATION)
    options = {option.value: option for option in (*BROAD, *REGIONAL)}.values()
    return [_described(option, unavailable_reason(capability, source, option.value), capability.loaded, source) for option in options]


async def require_pair(session: AsyncSession, source: str, target: str) -> None:
    """Raise `PairUnsupported` with a sentence that names what works."""
    capability = await capability_of(session, TRANSLATION)
    if unavailable_reason(capability, source, target) is not None:
        raise PairUnsupported.field("language", refusal(capability, source, target))


def _described(option: LanguageOption, reason: str | None, loaded: EngineInfo | None, source: str) -> TargetLanguage:
    return TargetLanguage(
        value=option.value,
        label=option.label,
        available=reason is None,
        reason=reason,
        via=via(loaded, source, option.value) if reason is None and loaded is not None else None,
    )
