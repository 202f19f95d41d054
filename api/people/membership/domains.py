"""Teams that are for addresses of their own domains alone."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.emails import domain_of
from api.people.teams.models import Membership, Team, is_open
from api.people.users.models import User
from api.platform.http.errors import Invalid
from cluster.wording.message import Wording

OTHER_DOMAIN = Wording(
    "membership.other_domain", "Only people with an address of these domains may join {team}: {domains}."
)
STAYS = Wording(
    "membership.address_stays",
    "Members of {team} have an address of these domains: {domains}. Leave the team before you change to another one.",
)


def require_domain(team: Team, email: str) -> None:
    """Raises `Invalid` for an address that may not join."""
    if not _admits(team, email):
        raise Invalid.field("email", OTHER_DOMAIN(team=team.name, domains=", ".join(team.email_domains)))


async def require_domains(session: AsyncSession, user: User, email: str) -> None:
    """Raises `Invalid` for a new address with which somebody would leave the domains of one of their teams."""
    joined = select(Team).join(Membership).where(Membership.user_id == user.id, is_open())
    for team in await session.scalars(joined.order_by(Team.created_at)):
        # Who joined before the rule may go on having another address.
        if _admits(team, user.email) and not _admits(team, email):
            raise Invalid.field("email", STAYS(team=team.name, domains=", ".join(team.email_domains)))


def _admits(team: Team, email: str) -> bool:
    return not team.email_domains or domain_of(email) in team.email_domains
