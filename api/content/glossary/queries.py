from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.glossary.models import GlossaryTermRow
from api.people.access.rules import may_see, of_owner, require_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.languages import whisper_code
from pipelines.messages.translate import GlossaryTerm

TERM_NOT_FOUND = Message(
    "glossary.term_not_found", "This term is no longer in the glossary. Somebody may have deleted it."
)


async def find(session: AsyncSession, viewer: Viewer, term_id: uuid.UUID) -> GlossaryTermRow:
    """A term the viewer may see. Raises `NotFound`, and `Forbidden` for a change that the viewer may not make."""
    statement = select(GlossaryTermRow).where(GlossaryTermRow.id == term_id, may_see(viewer, GlossaryTermRow))
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound(TERM_NOT_FOUND)
    require_change(viewer, row)
    return row


async def listed(
    session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None, *, source: str | None, target: str | None
) -> Sequence[GlossaryTermRow]:
    """The terms that a person uses while acting for a team, by their words. With languages, those that fit them."""
    statement = (
        select(GlossaryTermRow)
        .where(shared_with(user_id, team_id, GlossaryTermRow))
        .order_by(func.lower(GlossaryTermRow.source), GlossaryTermRow.created_at, GlossaryTermRow.id)
    )
    rows = (await session.scalars(statement)).all()
    return [row for row in rows if _fits(row.source_language, source) and _fits(row.target_language, target)]


async def of_one_owner(
    session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None
) -> Sequence[GlossaryTermRow]:
    """The terms of a team, or of a person alone."""
    statement = select(GlossaryTermRow).where(of_owner(user_id, team_id, GlossaryTermRow))
    return (await session.scalars(statement)).all()


async def terms_for(
    session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None, *, source: str, target: str
) -> tuple[GlossaryTerm, ...]:
    """The terms for a translation. Where a person and the team want a term translated differently, the team decides."""
    rows = await listed(session, user_id, team_id, source=source, target=target)
    chosen: dict[str, GlossaryTermRow] = {}
    for row in sorted(rows, key=lambda row: row.team_id is not None):
        chosen[row.source if row.case_sensitive else row.source.casefold()] = row
    return tuple(
        GlossaryTerm(source=row.source, target=row.target, case_sensitive=row.case_sensitive) for row in chosen.values()
    )


def _fits(of_term: str | None, wanted: str | None) -> bool:
    """Whether a term's language covers a code. A term for `en-US` also applies to captions in `en-GB`."""
    return of_term is None or wanted is None or whisper_code(of_term) == whisper_code(wanted)
