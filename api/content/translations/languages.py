"""Which languages captions can be translated into now."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.translations.schemas import TargetLanguage
from api.people.auth.viewer import Viewer
from api.platform.capabilities.advice import capability_for
from api.platform.capabilities.queries import capability_of
from api.platform.http.errors import Invalid
from cluster.wording.message import Message
from pipelines.languages import BROAD, REGIONAL, LanguageOption, language_label, locale_of
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED
from pipelines.translation.pairs import SAME_LANGUAGE, pair_of, refusal, unavailable_reason
from serve.core.capability import Capability, TaskState
from serve.tasks.engine_labels import engine_label
from serve.tasks.translation.messages import TRANSLATION

NO_MODEL = Message("translations.no_model", "No translation model is installed")
NOT_RUNNING = Message("translations.not_running", "The translation model is not running")


class PairUnsupported(Invalid):
    """The loaded model cannot translate into the chosen language."""

    code = LANGUAGE_UNSUPPORTED


async def target_languages(session: AsyncSession, source: str) -> list[TargetLanguage]:
    """The broad list, then its regional forms. What cannot be translated now says why."""
    capability = await capability_of(session, TRANSLATION)
    options = {option.value: option for option in (*BROAD, *REGIONAL)}.values()
    return [_described(capability, source, option) for option in options]


async def require_pair(session: AsyncSession, viewer: Viewer, source: str, target: str) -> None:
    """Raise `PairUnsupported` with a sentence that names what works. While the model starts, the job checks."""
    capability = await capability_for(session, TRANSLATION, is_admin=viewer.is_admin)
    if not capability.may_work:
        raise PairUnsupported.field("language", capability.sentence)
    loaded = capability.loaded
    if loaded is not None and unavailable_reason(loaded, source, target) is not None:
        raise PairUnsupported.field("language", refusal(loaded, source, target))


def _described(capability: Capability, source: str, option: LanguageOption) -> TargetLanguage:
    reason = _reason(capability, source, option.value)
    return TargetLanguage(
        value=option.value,
        label=option.label,
        available=reason is None,
        reason=reason,
        via=_via(capability, source, option.value) if reason is None else None,
    )


def _reason(capability: Capability, source: str, target: str) -> str | None:
    if source.casefold() == target.casefold():
        return SAME_LANGUAGE
    if not capability.may_work:
        return NO_MODEL if capability.state is TaskState.MISSING else NOT_RUNNING
    return None if capability.loaded is None else unavailable_reason(capability.loaded, source, target)


def _via(capability: Capability, source: str, target: str) -> str | None:
    """What translates, in words: the engine, and the language it goes through where it does."""
    loaded = capability.loaded
    if loaded is None:
        return None
    pair, label = pair_of(loaded, source, target), engine_label(loaded.engine, loaded.model)
    if pair is None or not pair.via:
        return label
    return Message(
        "translations.through",
        "{engine}, through {language}",
        engine=label,
        language=language_label(locale_of(pair.via)),
    )
