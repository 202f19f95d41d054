"""The events of translations."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.access.audience import notice_of
from api.platform.realtime.events import child_of, event
from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.notices import Notice
from pipelines.languages import language_label


def message(
    file: File,
    language: str,
    action: Action,
    *,
    progress: int = 0,
    reason: str | None = None,
) -> PollingMessage:
    return event(
        Topic.TRANSLATE,
        action,
        slug=file.slug,
        name=file.name,
        child=child_of(language),
        language=language_label(language),
        progress=progress,
        reason=reason,
    )


async def notice(
    session: AsyncSession,
    file: File,
    language: str,
    action: Action,
    *,
    progress: int = 0,
    reason: str | None = None,
) -> Notice:
    """The event with its audience: everyone who may see the file."""
    return await notice_of(session, file, message(file, language, action, progress=progress, reason=reason))
