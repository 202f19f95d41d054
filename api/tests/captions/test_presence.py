"""Presence: who is told where somebody is, and who is not."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import delete

from api.content.captions.editing import presence
from api.content.captions.editing.presence import CALLS_BURST, TOO_OFTEN
from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.http.state import AppState
from api.platform.realtime.messages import channel_of
from api.platform.realtime.publisher import ChannelEvent
from api.platform.realtime.relay.limits import Bucket
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file


async def shared_file(state: AppState, ada: Browser, bob: Browser, role: TeamRole) -> tuple[File, uuid.UUID]:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=role))
        (await session.get_one(File, file.id)).team_id = team.id
        return file, team.id


def here(**more: Any) -> dict[str, Any]:
    return {"page": str(uuid.uuid4()), "language": "en-US", **more}


async def test_the_team_hears_where_a_viewer_is_until_they_leave_it(
    ada: Browser, bob: Browser, state: AppState, sent: list[ChannelEvent]
) -> None:
    file, team_id = await shared_file(state, ada, bob, TeamRole.VIEWER)
    path, line = f"/api/files/captions/{file.slug}/presence", str(uuid.uuid4())
    assert (await bob.post(path, json=here(line=line, is_typing=True))).status_code == 204
    assert {each.channel for each in sent} == {channel_of(ada.user_id), channel_of(bob.user_id)}
    data = sent[0].data
    assert (data["slug"], data["line"], data["is_typing"], data["user"]) == (file.slug, line, True, str(bob.user_id))
    assert data["name"]
    sent.clear()
    async with state.database.write() as session:
        await session.execute(
            delete(Membership).where(Membership.team_id == team_id, Membership.user_id == bob.user_id)
        )
    assert (await bob.post(path, json=here())).status_code == 404
    assert (await ada.post(path, json=here())).status_code == 204
    assert {each.channel for each in sent} == {channel_of(ada.user_id)}


async def test_a_page_that_never_rests_is_refused(ada: Browser, state: AppState, sent: list[ChannelEvent]) -> None:
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/captions/{file.slug}/presence"
    presence._calls[ada.user_id] = bucket = Bucket(0.0, CALLS_BURST, 0.0)
    while bucket.take(0.0):
        pass
    answer = await ada.post(path, json=here())
    assert (answer.status_code, answer.json()["message"]) == (429, TOO_OFTEN)
    assert sent == []
