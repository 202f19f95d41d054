"""What ends together with a person's right to add to a team: upload tokens, unfinished uploads, their invitations."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.uploads.models import TusUpload, Upload, UploadStatus, UploadToken
from api.content.uploads.record_rows import end
from api.content.uploads.transitions import UPLOAD_STATUS
from api.people.access.rules import by_member
from api.people.membership.models import Invitation
from api.people.teams.models import TeamRole
from api.platform.db import clock


async def end_uploads(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID) -> None:
    """End what a person is uploading into a team. Bytes that still arrive are refused; the sweep removes the rest."""
    await session.execute(delete(UploadToken).where(by_member(user_id, team_id, UploadToken)))
    unfinished = (
        select(TusUpload.id)
        .where(
            by_member(user_id, team_id, TusUpload), TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None)
        )
        .order_by(TusUpload.id)
    )
    for tus_id in (await session.scalars(unfinished)).all():
        if await end(session, tus_id):
            await session.execute(
                UPLOAD_STATUS.update_to(UploadStatus.CANCELLED)
                .where(Upload.tus_id == tus_id)
                .values(is_displayed=False, updated_at=clock.now())
            )


async def withdraw_above(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID, role: TeamRole | None) -> None:
    """Withdraw the open invitations of a person who may no longer give such a role; all when they leave."""
    may_give = (
        [] if role in (None, TeamRole.VIEWER) else [each for each in TeamRole if each.rank <= TeamRole(role).rank]
    )
    await session.execute(
        delete(Invitation).where(
            Invitation.team_id == team_id,
            Invitation.inviter_id == user_id,
            Invitation.accepted_at.is_(None),
            Invitation.role.not_in(may_give),
        )
    )
