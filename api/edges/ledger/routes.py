"""The ledger: balance, quote, movements and usage of a payer, extra minutes, and what administrators put right."""

from __future__ import annotations

import math
import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from sqlalchemy import Row

from api.edges.ledger import queries
from api.edges.ledger.schemas import (
    CorrectionIn,
    ExtraIn,
    LedgerBalanceOut,
    MovementOut,
    MovementQuery,
    QuoteIn,
    QuoteOut,
    RefundIn,
    RefundOut,
    UsageLineOut,
    UsageOut,
)
from api.edges.ledger.scope import scope_of, whole_scope_of
from api.people.access.rules import require_admin
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import SignedIn
from api.people.ledger import service
from api.people.ledger.models import Movement
from api.people.ledger.month import Month, MonthText
from api.people.ledger.prices import noun_of
from api.people.ledger.quotes import quote
from api.people.ledger.usage import usage_of
from api.people.plans.limits import limits_of
from api.people.plans.minutes import Grant
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import Conflict, NotFound, error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State, WriteSession
from cluster.wording.message import Message

NOTHING_TO_REFUND = Message(
    "ledger.nothing_to_refund", "There is nothing to give back: this work was not charged, or it was given back before."
)
NO_EXTRA = Message("ledger.no_extra", "Your plan has no extra minutes. Choose a plan that has, and try again.")
CSV_HEADER = ("Time", "What", "Work", "File", "Person", "Seconds", "Paid by", "Cents", "Note")

router = APIRouter(prefix="/api/ledger", tags=["ledger"])
Team = Annotated[uuid.UUID | None, Query()]
Payer = Annotated[uuid.UUID | None, Query()]


@router.get("", response_model=Page[MovementOut], responses=error_responses(401, 403, 404, 422) | CSV_RESPONSE)
async def list_movements(
    viewer: SignedIn,
    state: State,
    session: ReadSession,
    query: Annotated[MovementQuery, Query()],
    format: ListFormat = ListFormat.JSON,
) -> Page[MovementOut] | StreamingResponse:
    """A payer's movements, the newest first: one's own, of a `team`, or for administrators of any `payer`."""
    scope = await whole_scope_of(session, viewer, team_id=query.team, payer_id=query.payer)
    if format is ListFormat.CSV:
        return csv_answer(state.database, "minutes.csv", CSV_HEADER, queries.movements(viewer, scope, query), _cells)
    rows, total = await queries.page_of_movements(session, viewer, scope, query)
    return page_of(rows, query, total)


@router.get("/balance", responses=error_responses(401, 403, 404, 422))
async def get_balance(
    viewer: SignedIn, session: ReadSession, team: Team = None, payer: Payer = None
) -> Data[LedgerBalanceOut]:
    scope = await scope_of(session, viewer, team_id=team, payer_id=payer)
    return Data(data=await queries.describe_balance(session, scope))


@router.get("/usage", responses=error_responses(401, 403, 404, 422))
async def get_usage(
    viewer: SignedIn, session: ReadSession, month: MonthText, team: Team = None, payer: Payer = None
) -> Data[UsageOut]:
    """What became usage in a month; what it says of extra minutes is what the invoice charges."""
    scope = await whole_scope_of(session, viewer, team_id=team, payer_id=payer)
    usage = await usage_of(session, scope.payer_id, Month.read(month), team_id=scope.team_id)
    return Data(
        data=UsageOut(
            month=str(usage.month),
            lines=[
                UsageLineOut(
                    work=line.work,
                    work_name=noun_of(line.work),
                    funding=line.funding,
                    seconds=line.seconds,
                    cents=line.cents,
                )
                for line in usage.lines
            ],
            seconds=usage.seconds,
            extra_seconds=usage.extra_seconds,
            extra_cents=usage.extra_cents,
        )
    )


@router.post("/quote", responses=error_responses(401, 404, 419, 422))
async def make_quote(body: QuoteIn, viewer: SignedIn, session: ReadSession) -> Data[QuoteOut]:
    """What transcribing will use, in the active team or for oneself. Reserves nothing."""
    scope = await scope_of(session, viewer, team_id=viewer.team_id)
    seconds = math.ceil(body.seconds or 0)
    if body.file_ids:
        seconds += await queries.seconds_of_files(session, viewer, body.file_ids)
    made = await quote(session, scope.payer_id, seconds, is_payer=scope.is_payer)
    return Data(
        data=QuoteOut(
            seconds=made.seconds,
            fits=made.fits,
            included=made.included,
            extra=made.extra,
            extra_cents=made.extra_cents,
            available=made.balance.available,
            sentence=made.sentence,
        )
    )


@router.put("/extra", responses=error_responses(401, 409, 419, 422))
async def set_extra(body: ExtraIn, viewer: SignedIn, session: WriteSession) -> Data[LedgerBalanceOut]:
    """Allow or stop extra minutes of one's own plan. What has been used stays on the next invoice."""
    if body.is_allowed and (await limits_of(session, viewer.user_id)).price_minute <= 0:
        raise Conflict(NO_EXTRA)
    await service.allow_extra(session, viewer.user_id, allows_extra=body.is_allowed, limit=body.limit)
    record_for(session, viewer, AuditAction.EXTRA_MINUTES_SET, is_allowed=body.is_allowed, cents=body.limit)
    return Data(data=await queries.describe_balance(session, await scope_of(session, viewer)))


@router.post(
    "/jobs/{job_id}/refund",
    dependencies=[Depends(require_admin)],
    responses=error_responses(401, 403, 404, 409, 419, 422),
)
async def refund_job(job_id: uuid.UUID, body: RefundIn, viewer: SignedIn, session: WriteSession) -> Data[RefundOut]:
    """Give back what a job was charged. For administrators."""
    payer_id = await queries.payer_of_job(session, job_id)
    if payer_id is None:
        raise NotFound(NOTHING_TO_REFUND)
    seconds = await service.refund(session, job_id, note=body.note)
    if seconds == 0:
        raise Conflict(NOTHING_TO_REFUND)
    record_for(
        session,
        viewer,
        AuditAction.MINUTES_REFUNDED,
        subject_id=payer_id,
        object_kind="job",
        object_id=str(job_id),
        seconds=seconds,
        reason=body.note,
    )
    return Data(data=RefundOut(seconds=seconds))


@router.post(
    "/grants/{grant_id}/correct",
    status_code=204,
    dependencies=[Depends(require_admin)],
    responses=error_responses(401, 403, 404, 409, 419, 422),
)
async def correct_grant(grant_id: uuid.UUID, body: CorrectionIn, viewer: SignedIn, session: WriteSession) -> None:
    """Add to a grant, or take back what is left of it. For administrators."""
    await service.correct(session, grant_id, body.seconds, note=body.note)
    grant = await session.get_one(Grant, grant_id)
    record_for(
        session,
        viewer,
        AuditAction.MINUTES_CORRECTED,
        subject_id=grant.payer_id,
        object_kind="grant",
        object_id=str(grant_id),
        seconds=body.seconds,
        reason=body.note,
    )


def _cells(row: Row[*tuple[object, ...]]) -> list[Cell]:
    movement: Movement = row.Movement
    return [
        movement.at,
        movement.kind.value,
        movement.work,
        row.file_name,
        row.user_name,
        movement.seconds,
        row.source.value if row.source is not None else movement.funding.value,
        queries.cents(movement),
        movement.note,
    ]
