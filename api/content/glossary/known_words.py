"""Words that the spelling check accepts, because a person or a team said that they are right."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.glossary.models import KnownWordRow
from api.content.glossary.schemas import NewKnownWord
from api.content.glossary.service import team_of
from api.people.access.rules import may_see, of_owner, require_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Invalid, NotFound
from cluster.wording.message import Message

WORDS_MAX = 5_000
"""Words of one person or one team."""

FULL = Message("glossary.full", "This list has {count:,} words, and no more fit. Delete some first.", count=WORDS_MAX)
WORD_NOT_FOUND = Message("glossary.word_not_found", "This word is no longer in the list. Somebody may have deleted it.")


async def listed(session: AsyncSession, viewer: Viewer) -> Sequence[KnownWordRow]:
    """The words that the viewer uses while acting for a team, by their letters."""
    statement = select(KnownWordRow).where(shared_with(viewer.user_id, viewer.team_id, KnownWordRow))
    return (await session.scalars(statement.order_by(func.lower(KnownWordRow.word), KnownWordRow.id))).all()


async def add(session: AsyncSession, viewer: Viewer, new: NewKnownWord) -> KnownWordRow:
    """Add a word, or return the one that is there. Raises `Invalid` for a full list."""
    team_id = team_of(viewer, new.scope)
    present = (await session.scalars(select(KnownWordRow).where(of_owner(viewer.user_id, team_id, KnownWordRow)))).all()
    same = next((row for row in present if (row.word, row.language) == (new.word, new.language)), None)
    if same is not None:
        return same
    if len(present) >= WORDS_MAX:
        raise Invalid.field("word", FULL)
    row = KnownWordRow(user_id=viewer.user_id, team_id=team_id, word=new.word, language=new.language)
    session.add(row)
    await session.flush()
    return row


async def remove(session: AsyncSession, viewer: Viewer, word_id: uuid.UUID) -> None:
    statement = select(KnownWordRow).where(KnownWordRow.id == word_id, may_see(viewer, KnownWordRow))
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound(WORD_NOT_FOUND)
    require_change(viewer, row)
    await session.execute(delete(KnownWordRow).where(KnownWordRow.id == row.id))
