"""Change glossaries: add, change and delete terms, import a file of them."""

from __future__ import annotations

import uuid

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.glossary import queries
from api.content.glossary.csv_form import ReadRow
from api.content.glossary.models import GlossaryTermRow
from api.content.glossary.schemas import GlossaryImport, NewTerm, RefusedRow, TermIn, TermScope
from api.people.access.rules import require_addition
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

TERMS_MAX = 5_000
"""Terms of one person or one team."""

FULL = Message(
    "glossary.service_full", "This glossary has {count:,} terms, and no more fit. Delete some first.", count=TERMS_MAX
)
TAKEN = Message("glossary.taken", "This term is in the glossary already. Change that one instead.")
NO_TEAM = Message(
    "glossary.no_team", "You are not acting for a team. Choose one first, or add the term to your own glossary."
)
TWICE = Message("glossary.twice", "This term is in the file more than once, and an earlier row was used.")

Key = tuple[str, str | None, str | None]


async def add(session: AsyncSession, viewer: Viewer, term: NewTerm) -> GlossaryTermRow:
    """Add a term. Raises `Invalid` for one that is there already, and for a full glossary."""
    team_id = team_of(viewer, term.scope)
    present = await queries.of_one_owner(session, viewer.user_id, team_id)
    if _key(term) in {_key_of(row) for row in present}:
        raise Invalid.field("source", TAKEN)
    if len(present) >= TERMS_MAX:
        raise Invalid.field("source", FULL)
    row = GlossaryTermRow(user_id=viewer.user_id, team_id=team_id, **_values(term))
    session.add(row)
    await session.flush()
    return row


async def change(session: AsyncSession, viewer: Viewer, term_id: uuid.UUID, term: TermIn) -> GlossaryTermRow:
    row = await queries.find(session, viewer, term_id)
    present = await queries.of_one_owner(session, row.user_id, row.team_id)
    if any(other.id != row.id and _key_of(other) == _key(term) for other in present):
        raise Invalid.field("source", TAKEN)
    for name, value in _values(term).items():
        setattr(row, name, value)
    row.updated_at = utc_now()
    await session.flush()
    return row


async def remove(session: AsyncSession, viewer: Viewer, term_id: uuid.UUID) -> None:
    row = await queries.find(session, viewer, term_id)
    await session.execute(delete(GlossaryTermRow).where(GlossaryTermRow.id == row.id))


async def import_rows(
    session: AsyncSession, viewer: Viewer, rows: list[ReadRow], scope: TermScope | None
) -> GlossaryImport:
    """Add the terms of a file, or replace those that are there. Rows that cannot be used are reported."""
    team_id = team_of(viewer, scope)
    present = {_key_of(row): row for row in await queries.of_one_owner(session, viewer.user_id, team_id)}
    seen: set[Key] = set()
    report = GlossaryImport(added=0, changed=0, unchanged=0, refused=[])
    for read in rows:
        if isinstance(read.term, str):
            report.refused.append(RefusedRow(row=read.number, source=read.source, reason=read.term))
            continue
        key, values = _key(read.term), _values(read.term)
        reason = TWICE if key in seen else FULL if key not in present and len(present) >= TERMS_MAX else None
        if reason is not None:
            report.refused.append(RefusedRow(row=read.number, source=read.source, reason=reason))
            continue
        seen.add(key)
        row = present.get(key)
        if row is None:
            present[key] = GlossaryTermRow(user_id=viewer.user_id, team_id=team_id, **values)
            session.add(present[key])
            report.added += 1
        elif all(getattr(row, name) == value for name, value in values.items()):
            report.unchanged += 1
        else:
            for name, value in values.items():
                setattr(row, name, value)
            report.changed += 1
    await session.flush()
    return report


def team_of(viewer: Viewer, scope: TermScope | None) -> uuid.UUID | None:
    """The team that gets what the viewer adds; None for the viewer alone. Raises `Invalid` and `Forbidden`."""
    if scope is TermScope.TEAM and viewer.team_id is None:
        raise Invalid.field("scope", NO_TEAM)
    if scope is TermScope.USER or viewer.team_id is None:
        return None
    require_addition(viewer)
    return viewer.team_id


def _key(term: TermIn) -> Key:
    return (term.source if term.case else term.source.casefold(), term.from_, term.to)


def _key_of(row: GlossaryTermRow) -> Key:
    source = row.source if row.case_sensitive else row.source.casefold()
    return (source, row.source_language, row.target_language)


def _values(term: TermIn) -> dict[str, str | bool | None]:
    return {
        "source": term.source,
        "target": term.target,
        "source_language": term.from_,
        "target_language": term.to,
        "note": term.note,
        "case_sensitive": term.case,
    }
