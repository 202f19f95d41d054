"""Events of files for webhooks."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.webhooks.emission import emit
from api.platform.webhooks.events import CaptionsChanged, FileFacts


def facts_of(file: File) -> FileFacts:
    return FileFacts(
        id=file.slug,
        name=file.name,
        status=file.status,
        language=file.language,
        duration_ms=file.duration_ms,
        team_id=file.team_id,
        created_at=file.created_at,
    )


async def emit_captions_changed(session: AsyncSession, file: File, *languages: str) -> None:
    await emit(session, file, CaptionsChanged(file=facts_of(file), languages=sorted(set(languages))))
