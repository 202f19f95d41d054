"""What people do with teams, through the API."""

from __future__ import annotations

from typing import Any

from api.people.teams.models import TeamRole
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.mailbox import Mailbox


async def new_team(browser: Browser, name: str = "Newsroom") -> str:
    """The id of a team that this person owns and pays for."""
    answer = await browser.post("/api/teams", json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


async def invite(browser: Browser, team_id: str, email: str, role: TeamRole = TeamRole.EDITOR) -> None:
    answer = await browser.post(f"/api/teams/{team_id}/invitations", json={"email": email, "role": role})
    assert answer.status_code == 201, answer.text


async def token_for(state: AppState, email: str) -> str:
    """The secret of the newest invitation to an address, from its mail."""
    return (await Mailbox(state).link(email)).partition("#")[2]


async def join(
    state: AppState, owner: Browser, team_id: str, guest: Browser, role: TeamRole = TeamRole.EDITOR
) -> dict[str, Any]:
    """Invite somebody by mail and accept for them. Returns the team as they see it."""
    email = guest.user["email"]
    await invite(owner, team_id, email, role)
    answer = await guest.post("/api/teams/invitations/accept", json={"token": await token_for(state, email)})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
