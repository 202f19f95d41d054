"""What people do to a written text: edit it, look at earlier versions, and bring one back."""

from __future__ import annotations

import asyncio
import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts import queries
from api.content.ai_texts.content import Content
from api.content.ai_texts.edit import edited
from api.content.ai_texts.errors import BEING_WRITTEN, EMPTY, NOTHING_WRITTEN, TextChanged
from api.content.ai_texts.models import AiText, AiTextStatus, VersionKind
from api.content.ai_texts.rendering import markdown_of
from api.content.ai_texts.schemas import TextChange, VersionContentOut, VersionOut
from api.content.ai_texts.transitions import AI_TEXT_STATUS, OPEN
from api.content.ai_texts.versions import add_version, listed, names_of, version_of
from api.content.files.models import File
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Conflict, Invalid


async def change(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID, request: TextChange) -> tuple[File, AiText]:
    """Save what a person typed as a new version. The same text again saves nothing."""
    file, text = await _lock(session, viewer, text_id)
    current = await version_of(session, text, text.version)
    if request.version is not None and request.version != text.version:
        raise TextChanged
    before = Content.from_json(current.content)
    # A text of 200,000 characters takes a second.
    after = await asyncio.to_thread(edited, before, request.content)
    if not after.blocks:
        raise Invalid.field("content", EMPTY)
    if (after.title, after.blocks) != (before.title, before.blocks):
        kind = VersionKind.EDITED
        await add_version(session, text, after, kind, user_id=viewer.user_id, engine=current.engine)
        _is_ready(text)
    return file, text


async def restore(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID, number: int) -> tuple[File, AiText]:
    """Make an earlier version the newest. The one before it stays in the history."""
    file, text = await _lock(session, viewer, text_id)
    earlier = await version_of(session, text, number)
    if number != text.version:
        content = Content.from_json(earlier.content)
        await add_version(session, text, content, VersionKind.RESTORED, user_id=viewer.user_id, engine=earlier.engine)
        _is_ready(text)
    return file, text


async def history(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID) -> list[VersionOut]:
    _, text = await queries.find(session, viewer, text_id)
    versions = await listed(session, text)
    names = await names_of(session, versions)
    return [
        VersionOut(
            number=row.number,
            kind=VersionKind(row.kind),
            title=row.title,
            by=names.get(row.user_id),
            is_current=row.number == text.version,
            created_at=row.created_at,
        )
        for row in versions
    ]


async def earlier_content(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID, number: int) -> VersionContentOut:
    _, text = await queries.find(session, viewer, text_id)
    version = await version_of(session, text, number)
    return VersionContentOut(number=number, content=markdown_of(Content.from_json(version.content), text.language))


async def _lock(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID) -> tuple[File, AiText]:
    """A written text, locked with its file. Raises `Conflict` while a job is going to replace it."""
    file, text = await queries.find(session, viewer, text_id, hold=True)
    if text.status in OPEN:
        raise Conflict(BEING_WRITTEN)
    if text.version == 0:
        raise Conflict(NOTHING_WRITTEN)
    return file, text


def _is_ready(text: AiText) -> None:
    """A failed second writing is over once a person has saved a version."""
    if text.status == AiTextStatus.FAILED:
        AI_TEXT_STATUS.move(text, AiTextStatus.READY)
        text.error = None
