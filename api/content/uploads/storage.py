"""How many bytes a payer's files take, and whether more fit."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload
from api.content.arrivals.transitions import ARRIVING
from api.content.files.models import File
from api.people.access.owned import Owned
from api.people.access.rules import shared_with
from api.people.ledger.accounts import lock_account
from api.people.ledger.amounts import size
from api.people.ledger.errors import NO_ROOM_WITHOUT_PLAN, StorageExceeded
from api.people.plans.limits import limits_of
from api.people.plans.tiers import PlanTier
from api.people.teams.models import Team
from cluster.wording.message import Wording

NO_ROOM = Wording(
    "uploads.no_room",
    "There is not enough room: {taken} of {limit} are taken. Delete files for good, empty the bin or choose a larger "
    "plan.",
)
NO_ROOM_FOR = Wording(
    "uploads.no_room_for",
    "There is not enough room: {taken} of {limit} are taken, and this needs {more}. Delete files for good, empty the "
    "bin or choose a larger plan.",
)


def paid_by(payer_id: uuid.UUID, table: type[Owned]) -> ColumnElement[bool]:
    """The rows whose owner a payer pays for: their own outside of teams, and those of their teams."""
    teams = select(Team.id).where(Team.payer_id == payer_id)
    return or_(shared_with(payer_id, None, table), and_(table.team_id.is_not(None), table.team_id.in_(teams)))


async def stored_bytes(session: AsyncSession, payer_id: uuid.UUID) -> int:
    """The size of a payer's files as uploaded, those in the bin included. What we make of them does not count."""
    files = select(func.sum(File.size_bytes)).where(paid_by(payer_id, File))
    return int(await session.scalar(files) or 0)


async def _arriving_bytes(session: AsyncSession, payer_id: uuid.UUID) -> int:
    """The declared size of uploads that will become files."""
    uploads = select(func.sum(Upload.filesize)).where(paid_by(payer_id, Upload), Upload.status.in_(ARRIVING))
    return int(await session.scalar(uploads) or 0)


async def check_storage(session: AsyncSession, payer_id: uuid.UUID, more_bytes: int) -> None:
    """Raise `StorageExceeded` when this many more bytes do not fit beside the files and unfinished uploads.

    Locks the payer's account, so that of two uploads that want the last gigabyte one gets it.
    """
    limits = await limits_of(session, payer_id)
    limit = limits.storage
    if limit is None:
        return
    await lock_account(session, payer_id)
    taken = await stored_bytes(session, payer_id) + await _arriving_bytes(session, payer_id)
    if taken + more_bytes > limit:
        if limits.tier is PlanTier.NONE and limit == 0:
            raise StorageExceeded(NO_ROOM_WITHOUT_PLAN)
        if more_bytes > 1:
            raise StorageExceeded(NO_ROOM_FOR(taken=size(taken), limit=size(limit), more=size(more_bytes)))
        raise StorageExceeded(NO_ROOM(taken=size(taken), limit=size(limit)))
