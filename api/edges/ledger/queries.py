"""The ledger as pages and spreadsheets show it."""

from __future__ import annotations

import uuid
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.content.files.models import File
from api.content.uploads.storage import stored_bytes
from api.edges.ledger.schemas import (
    LedgerBalanceOut,
    LedgerExtraOut,
    LedgerFileOut,
    LedgerGrantOut,
    MovementOut,
    MovementQuery,
)
from api.edges.ledger.scope import Scope
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.people.ledger.balances import balance
from api.people.ledger.models import Funding, Movement, MovementKind
from api.people.ledger.month import Month
from api.people.ledger.prices import cents_of, noun_of
from api.people.plans.minutes import Grant
from api.people.plans.seats import seats_in_use
from api.people.users.models import User
from api.platform.db import clock

MovementRow: TypeAlias = Row[*tuple[Any, ...]]

_LATER = aliased(Movement)


async def describe_balance(session: AsyncSession, scope: Scope) -> LedgerBalanceOut:
    left = await balance(session, scope.payer_id)
    first, now = (
        await session.execute(select(func.min(Movement.at), clock.now()).where(Movement.payer_id == scope.payer_id))
    ).one()
    return LedgerBalanceOut(
        is_enforced=left.is_enforced,
        is_payer=scope.is_payer,
        sees_all=scope.sees_all,
        plan=left.limits.label,
        included=left.included,
        available=left.available,
        held=left.held,
        spent=left.spent,
        renews_at=left.renews_at,
        grants=[LedgerGrantOut.model_validate(grant, from_attributes=True) for grant in left.grants]
        if scope.sees_all
        else [],
        extra=LedgerExtraOut(
            is_allowed=left.extra.is_allowed,
            limit=left.extra.limit if scope.sees_all else 0,
            price_minute=left.extra.price_minute,
            seconds=left.extra.used + left.extra.held if scope.sees_all else 0,
            cents=left.extra.cents if scope.sees_all else 0,
        ),
        storage_used=await stored_bytes(session, scope.payer_id),
        storage_limit=left.limits.storage,
        seats_used=await seats_in_use(session, scope.payer_id),
        seats_limit=left.limits.seats,
        first_month=str(Month.of(first or now)),
        this_month=str(Month.of(now)),
    )


def matching(scope: Scope, query: MovementQuery) -> list[ColumnElement[bool]]:
    """The movements of a scope that a query asks for."""
    which = [Movement.payer_id == scope.payer_id]
    if scope.team_id is not None:
        which.append(Movement.team_id == scope.team_id)
    if query.month is not None:
        month = Month.read(query.month)
        which += [Movement.at >= month.start, Movement.at < month.end]
    if not query.all:
        which.append(or_(Movement.kind.not_in((MovementKind.RESERVE, MovementKind.RELEASE)), _is_open()))
    return which


def _is_open() -> ColumnElement[bool]:
    """A reservation that has neither been settled nor released since."""
    ended = exists().where(
        _LATER.job_id == Movement.job_id,
        _LATER.id > Movement.id,
        _LATER.kind.in_((MovementKind.SETTLE, MovementKind.RELEASE)),
    )
    return and_(Movement.kind == MovementKind.RESERVE, ~ended)


def movements(viewer: Viewer, scope: Scope, query: MovementQuery) -> Select[*tuple[Any, ...]]:
    """The newest first, with what a row of the page or the spreadsheet needs."""
    refunded = exists().where(_LATER.job_id == Movement.job_id, _LATER.id > Movement.id, _LATER.kind == "refund")
    return (
        select(
            Movement,
            Grant.source.label("source"),
            File.slug.label("slug"),
            File.name.label("file_name"),
            User.name.label("user_name"),
            case((Movement.kind == MovementKind.SETTLE, refunded), else_=False).label("is_refunded"),
        )
        .outerjoin(Grant, Grant.id == Movement.grant_id)
        # Only files that the reader may open: an administrator sees no names of private content here.
        .outerjoin(File, and_(File.id == Movement.file_id, may_see(viewer, File)))
        .outerjoin(User, User.id == Movement.user_id)
        .where(*matching(scope, query))
        .order_by(Movement.id.desc())
    )


async def page_of_movements(
    session: AsyncSession, viewer: Viewer, scope: Scope, query: MovementQuery
) -> tuple[list[MovementOut], int]:
    total = await session.scalar(select(func.count()).select_from(Movement).where(*matching(scope, query)))
    statement = movements(viewer, scope, query).limit(query.size).offset(query.offset)
    rows = (await session.execute(statement)).all()
    return [describe(row) for row in rows], total or 0


def describe(row: MovementRow) -> MovementOut:
    movement: Movement = row.Movement
    return MovementOut(
        id=str(movement.id),
        at=movement.at,
        kind=movement.kind,
        funding=movement.funding,
        source=row.source,
        work=movement.work,
        work_name=None if movement.work is None else noun_of(movement.work),
        seconds=movement.seconds,
        cents=cents(movement),
        file=LedgerFileOut(slug=row.slug, name=row.file_name) if row.slug is not None else None,
        file_id=movement.file_id,
        job_id=movement.job_id,
        user=row.user_name,
        reason=movement.reason,
        note=movement.note,
        is_refunded=bool(row.is_refunded),
    )


def cents(movement: Movement) -> int:
    """What the extra seconds of a movement cost."""
    return cents_of(movement.seconds * movement.price_minute) if movement.funding is Funding.EXTRA else 0


async def payer_of_job(session: AsyncSession, job_id: uuid.UUID) -> uuid.UUID | None:
    """Who paid for a job; None if nobody has."""
    return await session.scalar(select(Movement.payer_id).where(Movement.job_id == job_id).limit(1))


async def seconds_of_files(session: AsyncSession, viewer: Viewer, file_ids: list[uuid.UUID]) -> int:
    """The sound of files that the viewer may see, in whole seconds each. Others count nothing."""
    durations = await session.scalars(select(File.duration_ms).where(File.id.in_(file_ids), may_see(viewer, File)))
    return sum(-(-(duration or 0) // 1000) for duration in durations)
