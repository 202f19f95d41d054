"""Mails that have not left, for administrators. Their texts and links are shown to nobody."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from sqlalchemy import func, select

from api.edges.admin.mails import service
from api.edges.admin.mails.schemas import MailQuery, MailState, UnsentMail, describe
from api.people.access.rules import AdminOnly, require_admin
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, WriteSession
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.outgoing import is_unsent

router = APIRouter(prefix="/api/admin/mails", tags=["admin"], dependencies=[Depends(require_admin)])

MailId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("", responses=error_responses(401, 403, 422))
async def list_mails(query: Annotated[MailQuery, Query()], session: ReadSession) -> Page[UnsentMail]:
    """Those that failed first, then those that wait; the newest first."""
    which = [is_unsent()]
    if query.state is not None:
        failed = OutboxMessage.failed_at
        which.append(failed.is_not(None) if query.state is MailState.FAILED else failed.is_(None))
    statement = select(OutboxMessage).where(*which)
    newest = statement.order_by(OutboxMessage.failed_at.is_(None), OutboxMessage.id.desc())
    messages = await session.scalars(newest.offset(query.offset).limit(query.size))
    total = await session.scalar(select(func.count()).select_from(OutboxMessage).where(*which))
    return page_of([describe(message) for message in messages], query, total or 0)


@router.post("/{mail_id}/retry", responses=error_responses(401, 403, 404, 409, 419, 422))
async def retry_mail(mail_id: MailId, admin: AdminOnly, session: WriteSession) -> Data[UnsentMail]:
    """Try a mail again now."""
    return Data(data=describe(await service.retry(session, admin, mail_id)))


@router.delete("/{mail_id}", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def discard_mail(mail_id: MailId, admin: AdminOnly, session: WriteSession) -> None:
    """Delete a mail that has not left."""
    await service.discard(session, admin, mail_id)
