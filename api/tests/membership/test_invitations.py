"""Invitations: whom they let in, for how long, and how often."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select, update

from api.people.membership import invitations
from api.people.membership.models import Invitation
from api.people.teams.models import Membership, TeamRole
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.mailbox import Mailbox
from api.testing.teams import invite, join, new_team, token_for

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ACCEPT = "/api/teams/invitations/accept"
OPEN = "/api/teams/invitations/open"


async def test_somebody_without_an_account_registers_and_joins(ada: Browser, visitor: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "Gestur@Example.com", TeamRole.VIEWER)
    token = await token_for(state, "gestur@example.com")
    offer = (await visitor.post(OPEN, json={"token": token})).json()["data"]
    assert offer | {"expires_at": None} == {
        "team": "Newsroom",
        "inviter": "Ada",
        "email": "gestur@example.com",
        "role": "viewer",
        "expires_at": None,
        "has_account": False,
    }
    assert (await visitor.post(ACCEPT, json={"token": token})).status_code == 401
    await visitor.register("gestur")
    joined = await visitor.post(ACCEPT, json={"token": token})
    assert (joined.status_code, joined.json()["data"]["role"]) == (200, "viewer")
    # They read the address's mail, and looking at the offer again says that there is an account.
    assert (await visitor.get("/api/user")).json()["data"]["email_verified"] is True
    assert (await visitor.post(OPEN, json={"token": token})).json()["data"]["has_account"] is True
    # A second click is the same as the first.
    assert (await visitor.post(ACCEPT, json={"token": token})).status_code == 200
    assert (await ada.get(f"/api/teams/{team_id}")).json()["data"]["invitations"] == []


async def test_accepting_twice_at_once_makes_one_member(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "bob@example.com")
    token = await token_for(state, "bob@example.com")
    answers = await asyncio.gather(*(bob.post(ACCEPT, json={"token": token}) for _ in range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    async with state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(Membership)) == 2


@SQLITE
async def test_the_link_of_another_address_lets_nobody_in(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "eve@example.com")
    refused = await bob.post(ACCEPT, json={"token": await token_for(state, "eve@example.com")})
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_account")
    assert "eve@example.com" in refused.json()["message"]
    assert (await bob.get("/api/teams")).json()["data"] == []


@pytest.mark.long
@SQLITE
async def test_an_invitation_ends_by_time_withdrawal_and_a_newer_one(
    ada: Browser, bob: Browser, state: AppState
) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "bob@example.com")
    first = await token_for(state, "bob@example.com")
    detail = (await ada.get(f"/api/teams/{team_id}")).json()["data"]["invitations"][0]
    again = f"/api/teams/{team_id}/invitations"
    assert (await ada.post(again, json={"email": "BOB@example.com"})).json()["message"] == invitations.IS_INVITED
    assert (await ada.post(f"{again}/{detail['id']}/resend")).status_code == 200
    second = await token_for(state, "bob@example.com")
    assert first != second
    assert (await bob.post(ACCEPT, json={"token": first})).status_code == 404
    async with state.database.write() as session:
        await session.execute(update(Invitation).values(expires_at=clock.now(-1)))
    expired = await bob.post(ACCEPT, json={"token": second})
    assert (expired.status_code, expired.json()["code"]) == (422, "invitation_expired")
    assert (await bob.post(OPEN, json={"token": second})).json()["code"] == "invitation_expired"
    # An expired one makes room for a new one.
    await invite(ada, team_id, "bob@example.com")
    third = (await ada.get(f"/api/teams/{team_id}")).json()["data"]["invitations"][0]["id"]
    assert (await ada.delete(f"{again}/{third}")).status_code == 204
    gone = await bob.post(ACCEPT, json={"token": await token_for(state, "bob@example.com")})
    assert gone.json()["message"] == invitations.NO_INVITATION


@pytest.mark.long
@SQLITE
async def test_nobody_gives_a_higher_role_than_their_own(
    sign_up: SignUp, ada: Browser, bob: Browser, state: AppState
) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob, TeamRole.EDITOR)
    vera = await sign_up("vera")
    await join(state, bob, team_id, vera, TeamRole.VIEWER)
    url = f"/api/teams/{team_id}/invitations"
    assert (await bob.post(url, json={"email": "eve@example.com", "role": "owner"})).status_code == 403
    assert (await vera.post(url, json={"email": "eve@example.com", "role": "viewer"})).status_code == 403
    await invite(ada, team_id, "eve@example.com", TeamRole.OWNER)
    owners = (await bob.get(f"/api/teams/{team_id}")).json()["data"]
    assert owners["roles_to_give"] == ["editor", "viewer"]
    assert [each["may_change"] for each in owners["invitations"]] == [False]
    assert (await bob.delete(f"{url}/{owners['invitations'][0]['id']}")).status_code == 403
    assert (await vera.get(f"/api/teams/{team_id}")).json()["data"]["invitations"] == []
    taken = await ada.post(url, json={"email": "vera@example.com"})
    assert taken.json()["message"] == invitations.IS_MEMBER(name="Vera")


@SQLITE
async def test_only_the_invited_person_declines(
    ada: Browser, bob: Browser, sign_up: SignUp, visitor: Browser, state: AppState
) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "eve@example.com")
    token = await token_for(state, "eve@example.com")
    path, body = "/api/teams/invitations/decline", {"token": token}
    assert (await visitor.post(path, json=body)).status_code == 401
    for other in (ada, bob):
        refused = await other.post(path, json=body)
        assert (refused.status_code, refused.json()["code"]) == (422, "wrong_account")
    assert (await visitor.post(OPEN, json=body)).status_code == 200
    eve = await sign_up("eve")
    assert (await eve.post(path, json=body)).status_code == 204
    assert (await visitor.post(OPEN, json={"token": token})).status_code == 404
    assert (await ada.get(f"/api/teams/{team_id}/log")).json()["data"][0]["sentence"].startswith("eve@example.com")


@SQLITE
async def test_the_token_is_stored_as_a_hash_and_shown_nowhere(ada: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await invite(ada, team_id, "eve@example.com")
    token = await token_for(state, "eve@example.com")
    shown = [(await ada.get(f"/api/teams/{team_id}{path}")).text for path in ("", "/log")]
    async with state.database.read() as session:
        row = (await session.scalars(select(Invitation))).one()
        events = [
            str(payload) for payload in await session.scalars(select(OutboxMessage.payload)) if "kind" not in payload
        ]
    assert len(token) >= 43
    assert not any(token in text for text in (*shown, *events, row.token_hash))


@SQLITE
async def test_the_mail_speaks_the_language_of_its_reader(ada: Browser, bob: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).where(User.email == "bob@example.com").values(locale="is"))
    team_id = await new_team(ada)
    await invite(ada, team_id, "bob@example.com")
    await invite(ada, team_id, "new@example.com")
    icelandic, english = await Mailbox(state).newest("bob@example.com"), await Mailbox(state).newest("new@example.com")
    assert icelandic.subject != english.subject
    assert "Ada" in english.text
    assert "Newsroom" in english.text


@pytest.mark.long
@SQLITE
async def test_a_mailbox_is_not_flooded(ada: Browser, state: AppState) -> None:
    teams = [await new_team(ada, f"Team {number}") for number in range(6)]
    answers = [await ada.post(f"/api/teams/{team}/invitations", json={"email": "eve@example.com"}) for team in teams]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert PASSWORD not in answers[-1].text
