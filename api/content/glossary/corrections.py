"""Words that people correct again and again, as suggestions for the glossary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.glossary import service
from api.content.glossary.models import GlossaryTermRow, WordCorrectionRow
from api.content.glossary.schemas import NewTerm, SettledSuggestion, Suggestion, TermScope
from api.people.access.rules import may_change, shared_with
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import in_list
from cluster.wording.message import Message
from pipelines.captions.edits.corrections import Correction
from pipelines.languages import listed_code

REPEATS_MIN = 2
"""Corrections of a word from which on it is suggested."""
SUGGESTIONS_MAX = 50


async def record(session: AsyncSession, file: File, language: str, found: Sequence[Correction]) -> None:
    """Keep what a change of captions corrected. A second change of a word continues its first correction."""
    if not found:
        return
    lines = in_list(session, WordCorrectionRow.line_id, list({line for line, _, _ in found}))
    statement = select(WordCorrectionRow).where(WordCorrectionRow.file_id == file.id, lines)
    known = {(row.line_id, row.right): row for row in await session.scalars(statement)}
    for line, wrong, right in found:
        row = known.pop((line, wrong), None)
        if row is None:
            row = WordCorrectionRow(
                user_id=file.user_id,
                team_id=file.team_id,
                file_id=file.id,
                line_id=line,
                language=language,
                wrong=wrong[:200],
                right=right[:200],
            )
            session.add(row)
        elif row.wrong == right:
            await session.delete(row)
            continue
        else:
            row.right = right[:200]
        known[line, right] = row
    await session.flush()


async def suggestions(session: AsyncSession, viewer: Viewer) -> list[Suggestion]:
    """Words corrected at least twice in the viewer's files and those of their active team, most often first."""
    row = WordCorrectionRow
    mine = and_(shared_with(viewer.user_id, viewer.team_id, row), row.is_settled.is_(False))
    count = func.count()
    statement = (
        select(row.wrong, row.right, row.language, count.label("times"), func.max(row.created_at).label("last"))
        .where(mine)
        .group_by(row.wrong, row.right, row.language)
        .having(count >= REPEATS_MIN)
        .order_by(count.desc(), row.right)
        .limit(SUGGESTIONS_MAX)
    )
    found: Sequence[Row[*tuple[Any, ...]]] = (await session.execute(statement)).all()
    return [
        Suggestion(wrong=each.wrong, right=each.right, language=each.language, times=each.times, last_at=each.last)
        for each in found
    ]


async def settle(session: AsyncSession, viewer: Viewer, chosen: SettledSuggestion) -> GlossaryTermRow | None:
    """Make a term of a suggestion, or dismiss it. Returns the term."""
    row = WordCorrectionRow
    pair = and_(row.wrong == chosen.wrong, row.right == chosen.right, row.language == chosen.language)
    term = None
    if chosen.accept:
        new = NewTerm.model_validate(
            {
                "source": chosen.right,
                "target": chosen.right,
                # A language that the list does not have means any.
                "from": listed_code(chosen.language),
                "note": Message("glossary.often_written_as", "Often written as “{wrong}”.", wrong=chosen.wrong),
                "case": True,
                "scope": chosen.scope or (TermScope.USER if viewer.team_id is None else TermScope.TEAM),
            }
        )
        term = await service.add(session, viewer, new)
    await session.execute(
        update(row)
        .where(pair, may_change(viewer, row))
        .values(is_settled=True)
        .execution_options(synchronize_session=False)
    )
    return term


async def corrected_since(session: AsyncSession, viewer: Viewer, words: Sequence[str]) -> list[tuple[str, datetime]]:
    """When people corrected something to one of these words, in the viewer's files and those of their active team."""
    row = WordCorrectionRow
    statement = select(row.right, row.created_at).where(
        shared_with(viewer.user_id, viewer.team_id, row), row.right.in_(words)
    )
    return [(right, at) for right, at in (await session.execute(statement)).tuples()]
