"""Read the log: for administrators with filters, for a customer what happened to their account."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.people.audit.sentences import SENTENCES
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db.expressions import in_list, unindexed

COUNTED = 10_000
"""We count at most this many entries, one more if there are more. Counting millions takes seconds."""

_actor, _subject = aliased(User), aliased(User)
ACTIONS = tuple(sorted({*AuditAction, *SENTENCES}))
"""Every action that can be recorded."""

_ORDER = (AuditEntry.at.desc(), AuditEntry.id.expression.desc())
Entry = tuple[AuditEntry, str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class LogFilter:
    """None means any. `since` and `until` are moments, the second one excluded."""

    actor_id: uuid.UUID | None = None
    subject_id: uuid.UUID | None = None
    team_id: uuid.UUID | None = None
    actor: str = ""
    """The beginning of the actor's address, in lower case."""
    subject: str = ""
    actions: Sequence[str] = field(default_factory=tuple)
    since: datetime | None = None
    until: datetime | None = None


def log_statement(wanted: LogFilter) -> Select[*Entry]:
    """Entries, the newest first, with the names of actor, subject and team, and the subject's address."""
    return (
        # Outer joins, so the names may be missing.
        # pyrefly: ignore[bad-return]
        select(AuditEntry, _actor.name, _subject.name, _subject.email, Team.name)
        .outerjoin(_actor, _actor.id == AuditEntry.actor_id)
        .outerjoin(_subject, _subject.id == AuditEntry.subject_id)
        .outerjoin(Team, Team.id == AuditEntry.team_id)
        .where(*_conditions(wanted))
        .order_by(*_ORDER)
    )


async def page_of_entries(
    session: AsyncSession, wanted: LogFilter, *, offset: int, size: int
) -> tuple[Sequence[Entry], int]:
    """Entries of one page, the newest first, and how many match, at most `COUNTED` + 1."""
    total = await count_of(session, wanted)
    if total <= offset:
        return [], total
    conditions = _conditions(wanted)
    if total > COUNTED:
        # So many entries match that walking them all in order soon finds enough.
        conditions = [*map(unindexed, conditions)]
    # The names are read for one page alone.
    page = select(AuditEntry.id).where(*conditions).order_by(*_ORDER).offset(offset).limit(size)
    ids = (await session.scalars(page)).all()
    rows = await session.execute(log_statement(LogFilter()).where(in_list(session, AuditEntry.id, ids)))
    return rows.tuples().all(), total


async def count_of(session: AsyncSession, wanted: LogFilter) -> int:
    """How many entries match, at most `COUNTED` + 1."""
    some = select(AuditEntry.id).where(*_conditions(wanted)).limit(COUNTED + 1).subquery()
    return await session.scalar(select(func.count()).select_from(some)) or 0


async def find(session: AsyncSession, entry_id: uuid.UUID) -> Entry | None:
    statement = log_statement(LogFilter()).order_by(None).where(AuditEntry.id == entry_id)
    row = (await session.execute(statement)).one_or_none()
    return None if row is None else row.tuple()


def _conditions(wanted: LogFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    for column, value in (
        (AuditEntry.actor_id, wanted.actor_id),
        (AuditEntry.subject_id, wanted.subject_id),
        (AuditEntry.team_id, wanted.team_id),
    ):
        if value is not None:
            conditions.append(column == value)
    if wanted.actor:
        conditions.append(AuditEntry.actor_id.in_(_people(wanted.actor)))
    if wanted.subject:
        conditions.append(AuditEntry.subject_id.in_(_people(wanted.subject)))
    if wanted.actions:
        by_action = or_(*(_is_action(name) for name in wanted.actions))
        # Fewer entries are of a person or team than of an action.
        conditions.append(unindexed(by_action) if conditions else by_action)
    if wanted.since is not None:
        conditions.append(AuditEntry.at >= wanted.since)
    if wanted.until is not None:
        conditions.append(AuditEntry.at < wanted.until)
    return conditions


def _is_action(name: str) -> ColumnElement[bool]:
    """`browse_as` means all actions of that subject, `browse_as.started` one."""
    # By whole names, which an index finds: most lists of a subject are a small part of the log.
    return AuditEntry.action.in_([action for action in ACTIONS if action == name or action.startswith(f"{name}.")])


def _people(text: str) -> Any:
    return select(User.id).where(User.email.startswith(text, autoescape=True))
