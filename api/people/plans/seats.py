"""How many people may work in the teams of one payer."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.enforcement import PlanRefusal
from api.people.plans.limits import limits_of
from api.people.teams.models import Membership, Team
from cluster.wording.message import Wording

ONE_SEAT_TAKEN = Wording(
    "plans.one_seat_taken",
    "The plan that pays for this team has room for {people}, and {taken} of these seats is taken. Choose a larger "
    "plan, or remove somebody or an open invitation.",
)
PEOPLE = Wording("plans.people", "{count} person", "{count} people")
SEATS_TAKEN = Wording(
    "plans.seats_taken",
    "The plan that pays for this team has room for {people}, and {taken} of these seats are taken. Choose a larger "
    "plan, or remove somebody or an open invitation.",
)
ONE_INVITED = Wording(
    "plans.one_invited",
    "The plan that pays for this team has room for {people}, and {taken} of these seats are taken, {invited} of them "
    "by an open invitation. Choose a larger plan, or remove somebody or an open invitation.",
)
SOME_INVITED = Wording(
    "plans.some_invited",
    "The plan that pays for this team has room for {people}, and {taken} of these seats are taken, {invited} of them "
    "by open invitations. Choose a larger plan, or remove somebody or an open invitation.",
)


class SeatsExceeded(PlanRefusal):
    code = "seats_exceeded"


async def seats_in_use(session: AsyncSession, payer_id: uuid.UUID) -> int:
    """The people in all teams that the payer pays for, each counted once, and the payer."""
    members = (
        select(func.count(Membership.user_id.distinct()))
        .join(Team, Team.id == Membership.team_id)
        .where(Team.payer_id == payer_id, Team.deleted_at.is_(None), Membership.user_id != payer_id)
    )
    return 1 + (await session.scalar(members) or 0)


async def check_seats(session: AsyncSession, payer_id: uuid.UUID, more: int, invited: int = 0) -> None:
    """Raise `SeatsExceeded` when `more` people do not fit the payer's plan beside the members and those `invited`."""
    limit = (await limits_of(session, payer_id)).seats
    if limit is None:
        return
    taken = invited + await seats_in_use(session, payer_id)
    if taken + more > limit:
        raise SeatsExceeded(_sentence(taken, invited)(people=PEOPLE(count=limit), taken=taken, invited=invited))


def _sentence(taken: int, invited: int) -> Wording:
    if invited == 0:
        return ONE_SEAT_TAKEN if taken == 1 else SEATS_TAKEN
    return ONE_INVITED if invited == 1 else SOME_INVITED
