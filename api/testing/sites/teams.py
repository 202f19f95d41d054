"""A file of a team on a site, and the role in which somebody sees it."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.membership.announcement import announce
from api.people.teams.models import Membership, Team, TeamRole
from api.testing.sites.files import write
from api.testing.sites.site import Site


class SharedFile:
    """A file with these captions, which belongs to a team of its owner. A guest may look at it."""

    def __init__(self, site: Site, owner: uuid.UUID, guest: uuid.UUID, *texts: str) -> None:
        self.site, self.guest = site, guest
        self.slug = site.file(owner, *texts)

        async def share(session: AsyncSession) -> uuid.UUID:
            team = Team(name="Crew")
            session.add(team)
            await session.flush()
            session.add(Membership(team_id=team.id, user_id=owner, role=TeamRole.OWNER))
            session.add(Membership(team_id=team.id, user_id=guest, role=TeamRole.VIEWER))
            await session.execute(update(File).where(File.slug == self.slug).values(team_id=team.id))
            return team.id

        self.team_id = write(site, share)

    def give(self, role: TeamRole) -> None:
        """Change the guest's role. Their pages get to know with the next `send_events`."""

        async def change(session: AsyncSession) -> None:
            mine = (Membership.team_id == self.team_id, Membership.user_id == self.guest)
            await session.execute(update(Membership).where(*mine).values(role=role))
            announce(session, await session.get_one(Team, self.team_id), [self.guest])

        write(self.site, change)

    def remove(self) -> None:
        """Remove the guest from the team. Their pages get to know with the next `send_events`."""

        async def change(session: AsyncSession) -> None:
            mine = (Membership.team_id == self.team_id, Membership.user_id == self.guest)
            await session.execute(delete(Membership).where(*mine))
            announce(session, await session.get_one(Team, self.team_id), [self.guest])

        write(self.site, change)
