"""The event by which open pages fetch what changed in captions."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.access.audience import notice_of
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import child_of, event
from api.platform.realtime.messages import Action, Topic


async def announce_lines(session: AsyncSession, file: File, language: str, revision: int) -> None:
    """Let the pages of everybody who has these captions open fetch what changed."""
    child = child_of(language)
    message = event(Topic.CAPTIONS, Action.CHANGED, slug=file.slug, name=file.name, child=child, revision=revision)
    add_event(session, await notice_of(session, file, message))
