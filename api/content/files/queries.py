from __future__ import annotations

import uuid

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.access.rules import may_see, require_change
from api.people.auth.viewer import Viewer
from api.platform.db.reread import reread
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from serve.tasks.engine_labels import engine_label

FILE_NOT_FOUND = Message("files.file_not_found", "File not found")


async def find(session: AsyncSession, viewer: Viewer, key: str, *, hold: bool = False) -> File:
    """The file with this slug or id. Raise `NotFound` also for somebody else's, `Forbidden` for a viewer's change.

    With `hold` the row is locked until the transaction ends: other callers with `hold` wait and then see our changes.
    """
    statement = select(File).where(may_see(viewer, File))
    if hold:
        statement = statement.with_for_update()
    try:
        statement = statement.where(or_(File.id == uuid.UUID(key), File.slug == key))
    except ValueError:
        statement = statement.where(File.slug == key)
    file = (await session.scalars(statement)).one_or_none()
    if file is None:
        raise NotFound(FILE_NOT_FOUND)
    require_change(viewer, file)
    return file


async def lock(session: AsyncSession, file: File) -> None:
    """Read a file again and lock it until the transaction ends. Raise `NotFound` when somebody has deleted it."""
    if await reread(session, file) is None:
        raise NotFound(FILE_NOT_FOUND)


def engine_words(engine: str | None) -> str | None:
    """The name of an engine such as `whisper small`, as stored in the row, in words."""
    return None if engine is None else engine_label(*engine.partition(" ")[::2])
