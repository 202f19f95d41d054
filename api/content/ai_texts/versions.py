"""The versions of a text: add one, list them, read one."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.content import Content
from api.content.ai_texts.models import AiText, AiTextVersion, VersionKind
from api.people.users.models import User
from api.platform.db.expressions import in_list
from api.platform.http.errors import NotFound
from cluster.wording.message import Message

VERSIONS_MAX = 50
"""Older versions of a text are deleted. The longest text takes about 1 MB, a usual one 10 kB."""

NO_SUCH_VERSION = Message("ai_texts.no_such_version", "This version is no longer kept. Choose a newer one.")


async def add_version(
    session: AsyncSession,
    text: AiText,
    content: Content,
    kind: VersionKind,
    *,
    user_id: uuid.UUID | None = None,
    engine: Mapping[str, Any],
) -> None:
    """Make this the version to show, in a transaction that holds the text."""
    text.version += 1
    session.add(
        AiTextVersion(
            ai_text_id=text.id,
            number=text.version,
            kind=kind,
            user_id=user_id,
            content=content.to_json(),
            engine=dict(engine),
        )
    )
    await session.flush()
    await session.execute(
        delete(AiTextVersion)
        .where(AiTextVersion.ai_text_id == text.id, AiTextVersion.number <= text.version - VERSIONS_MAX)
        .execution_options(synchronize_session=False)
    )


async def version_of(session: AsyncSession, text: AiText, number: int) -> AiTextVersion:
    statement = select(AiTextVersion).where(AiTextVersion.ai_text_id == text.id, AiTextVersion.number == number)
    version = (await session.scalars(statement)).one_or_none()
    if version is None:
        raise NotFound(NO_SUCH_VERSION)
    return version


async def current_versions(session: AsyncSession, texts: Collection[AiText]) -> dict[uuid.UUID, AiTextVersion]:
    """The version to show of each text that has one."""
    wanted = [(text.id, text.version) for text in texts if text.version]
    if not wanted:
        return {}
    statement = select(AiTextVersion).where(tuple_(AiTextVersion.ai_text_id, AiTextVersion.number).in_(wanted))
    return {version.ai_text_id: version for version in await session.scalars(statement)}


async def listed(session: AsyncSession, text: AiText) -> Sequence[Row[*tuple[Any, ...]]]:
    """Number, kind, title, time and person of each version, the newest first."""
    statement = (
        select(
            AiTextVersion.number,
            AiTextVersion.kind,
            AiTextVersion.content["title"].as_string().label("title"),
            AiTextVersion.created_at,
            AiTextVersion.user_id,
        )
        .where(AiTextVersion.ai_text_id == text.id)
        .order_by(AiTextVersion.number.desc())
    )
    return (await session.execute(statement)).all()


async def names_of(session: AsyncSession, versions: Sequence[Row[*tuple[Any, ...]]]) -> dict[uuid.UUID, str]:
    """The names of the people behind these versions."""
    ids = list({row.user_id for row in versions} - {None})
    rows = await session.execute(select(User.id, User.name).where(in_list(session, User.id, ids)))
    return dict(rows.tuples().all())
