"""A team of three, a stranger, and things that belong to the team."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.realtime.messages import channel_of
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file


@dataclass(frozen=True)
class Newsroom:
    """Ada owns the team, Bob edits, Vera views, and Eve is not a member."""

    state: AppState
    team_id: uuid.UUID
    ada: Browser
    bob: Browser
    vera: Browser
    eve: Browser

    @property
    def members(self) -> tuple[Browser, ...]:
        return self.ada, self.bob, self.vera

    @property
    def channels(self) -> set[str]:
        return {channel_of(member.user_id) for member in self.members}

    async def file_of(self, owner: Browser) -> File:
        """A file that `owner` uploaded into the team."""
        file = await uploaded_file(self.state, owner.user_id)
        async with self.state.database.write() as session:
            shared = await session.get_one(File, file.id)
            shared.team_id = self.team_id
        return shared

    async def upload_of(self, owner: Browser, status: UploadStatus = UploadStatus.INCOMPLETE) -> Upload:
        upload = Upload(
            user_id=owner.user_id,
            team_id=self.team_id,
            filename="talk.mp4",
            language="en-US",
            status=status,
            tus_id=uuid.uuid4().hex + "0" * 8,
        )
        async with self.state.database.write() as session:
            session.add(upload)
        return upload

    async def heard_by(self, *, after: int = 0) -> list[set[str]]:
        """The channels of each event in turn."""
        async with self.state.database.read() as session:
            statement = select(OutboxMessage.payload).where(OutboxMessage.id > after).order_by(OutboxMessage.id)
            payloads = [payload for payload in await session.scalars(statement) if "data" in payload]
        channels: dict[str, set[str]] = {}
        for payload in payloads:
            channels.setdefault(repr(payload["data"]), set()).add(payload["channel"])
        return list(channels.values())

    async def last_event(self) -> int:
        async with self.state.database.read() as session:
            return await session.scalar(select(OutboxMessage.id).order_by(OutboxMessage.id.desc()).limit(1)) or 0

    async def delete(self) -> None:
        async with self.state.database.write() as session:
            (await session.get_one(Team, self.team_id)).deleted_at = utc_now()


async def make_newsroom(state: AppState, ada: Browser, bob: Browser, vera: Browser, eve: Browser) -> Newsroom:
    roles = ((ada, TeamRole.OWNER), (bob, TeamRole.EDITOR), (vera, TeamRole.VIEWER))
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        session.add_all(Membership(team_id=team.id, user_id=who.user_id, role=role) for who, role in roles)
    return Newsroom(state, team.id, ada, bob, vera, eve)
