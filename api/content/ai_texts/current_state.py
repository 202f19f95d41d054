"""Events that bring a page up to date on unfinished AI texts."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.events import message
from api.content.ai_texts.models import AiText, AiTextStatus
from api.content.ai_texts.transitions import OPEN
from api.content.files.models import File
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.realtime.messages import Action, PollingMessage


async def unfinished_texts(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    rows = await session.execute(
        select(AiText, File)
        .join(File, File.id == AiText.file_id)
        .where(may_see(viewer, File), AiText.status.in_(OPEN))
        .order_by(AiText.created_at)
    )
    messages = []
    for text, file in rows.tuples():
        is_running = text.status == AiTextStatus.RUNNING
        actions = (Action.STARTED, Action.PROGRESS) if is_running else (Action.DISPATCHED,)
        messages += [message(file, text, action, progress=text.progress) for action in actions]
    return messages
