"""The terms of a glossary that a transcription gets."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.glossary.models import GlossaryTermRow
from api.people.access.rules import shared_with
from pipelines.messages.spoken_terms import TERMS_MAX, SpokenTerm

ROWS_MAX = 2_000
"""The newest terms that are looked at."""
SPOKEN_CHARS_MAX = 60
"""A longer term is a sentence, which helps nobody to spell a name."""


async def spoken_terms(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> tuple[SpokenTerm, ...]:
    """What may be spoken in files of a person, or of a person in a team: terms, and translations in their language.

    Names and acronyms come first, because a speech model knows other words; then the newest.
    """
    row = GlossaryTermRow
    statement = (
        select(row.source, row.source_language, row.target, row.target_language)
        .where(shared_with(user_id, team_id, row))
        .order_by(row.created_at.desc(), row.id)
        .limit(ROWS_MAX)
    )
    found: list[SpokenTerm] = []
    for source, source_language, target, target_language in (await session.execute(statement)).tuples():
        found.append(SpokenTerm(text=source, language=source_language))
        if target_language is not None:
            found.append(SpokenTerm(text=target, language=target_language))
    usable = [term for term in dict.fromkeys(found) if len(term.text) <= SPOKEN_CHARS_MAX]
    return tuple(sorted(usable, key=lambda term: term.text.islower())[:TERMS_MAX])
