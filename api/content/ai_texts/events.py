"""The events of AI texts. They never move the status of the file."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.models import AiText
from api.content.ai_texts.schemas import TYPE_LABELS
from api.content.files.models import File
from api.people.access.audience import notice_of
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.notices import Notice
from cluster.wording.message import Wording
from pipelines.languages import language_label
from pipelines.messages.minutes import TextType

_WHAT = Wording("ai_texts.what", "{kind}, {language}")


def child_of(text: AiText) -> str:
    """The wire name of a text among those of its file: `minutes_is-IS`."""
    return f"{text.type}_{text.language}"


def message(
    file: File, text: AiText, action: Action, *, progress: int = 0, reason: str | None = None
) -> PollingMessage:
    language = language_label(text.language)
    return event(
        Topic.MINUTES,
        action,
        slug=file.slug,
        name=file.name,
        child=child_of(text),
        language=language,
        what=_WHAT(kind=TYPE_LABELS[TextType(text.type)], language=language),
        progress=progress,
        reason=reason,
    )


async def notice(
    session: AsyncSession, file: File, text: AiText, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    """The event with its audience: everyone who may see the file."""
    return await notice_of(session, file, message(file, text, action, progress=progress, reason=reason))
