"""What a provider's groups give and take: teams, roles in them, and the administrator's rights."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from api.people.teams.models import Membership, TeamRole
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp
from api.testing.identity.signing_in import sign_in_with
from api.testing.identity.stand_in import StandInProvider

TEAM = uuid.UUID(int=7)


@pytest.fixture
def entry() -> dict[str, Any]:
    return {"admin_groups": ["root"], "groups_claim": "realm_access.roles"}


def give(settings: ApiSettings, *groups: tuple[str, str, str]) -> None:
    """Map groups to teams and roles, as the settings of the next start would."""
    settings.identity_providers[0]["team_groups"] = [
        {"group": group, "team_id": team_id, "role": role} for group, team_id, role in groups
    ]


def roles(*names: str) -> dict[str, Any]:
    return {"groups": None, "realm_access": {"roles": list(names)}}


async def teams(browser: Browser) -> dict[str, str]:
    return {team["name"]: team["role"] for team in (await browser.get("/api/user")).json()["data"]["teams"]}


async def make_team(browser: Browser, name: str) -> str:
    answer = await browser.post("/api/teams", json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


async def test_groups_give_teams_and_take_them_again(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings
) -> None:
    ada = await sign_up("ada")
    news, sport = await make_team(ada, "News"), await make_team(ada, "Sport")
    give(settings, ("staff", news, "viewer"), ("editors", news, "editor"), ("sport", sport, "editor"))
    await sign_in_with(visitor, provider, "grace", **roles("staff", "editors", "sport"))
    assert await teams(visitor) == {"News": "editor", "Sport": "editor"}
    await sign_in_with(visitor, provider, "grace", **roles("staff"))
    assert await teams(visitor) == {"News": "viewer"}
    await sign_in_with(visitor, provider, "grace", **roles())
    assert await teams(visitor) == {}


async def test_a_missing_claim_means_no_groups(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings
) -> None:
    ada = await sign_up("ada")
    give(settings, ("staff", await make_team(ada, "News"), "editor"))
    await sign_in_with(visitor, provider, "grace", **roles("staff"))
    await sign_in_with(visitor, provider, "grace", groups=None)
    assert await teams(visitor) == {}


async def test_groups_that_are_listed_elsewhere_change_nothing(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings
) -> None:
    ada = await sign_up("ada")
    give(settings, ("staff", await make_team(ada, "News"), "editor"))
    await sign_in_with(visitor, provider, "grace", **roles("staff"))
    await sign_in_with(visitor, provider, "grace", groups=None, _claim_names={"realm_access.roles": "src1"})
    assert await teams(visitor) == {"News": "editor"}


async def test_members_whom_people_invited_stay(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings, state: AppState
) -> None:
    ada = await sign_up("ada")
    team = await make_team(ada, "News")
    give(settings, ("staff", team, "viewer"))
    grace = (await sign_in_with(visitor, provider, "grace", **roles())).json()["data"]["user"]["id"]
    async with state.database.write() as session:
        session.add(Membership(team_id=uuid.UUID(team), user_id=uuid.UUID(grace), role=TeamRole.EDITOR))
    for names in (("staff",), ()):
        await sign_in_with(visitor, provider, "grace", **roles(*names))
        assert await teams(visitor) == {"News": "editor"}


async def test_the_payer_of_a_team_stays_its_owner(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings
) -> None:
    ada = await sign_up("ada")
    team = await make_team(ada, "News")
    give(settings, ("owners", team, "owner"))
    await sign_in_with(visitor, provider, "grace", **roles("owners"))
    assert (await visitor.post(f"/api/teams/{team}/payer")).status_code == 200
    await sign_in_with(visitor, provider, "grace", **roles())
    assert await teams(visitor) == {"News": "owner"}


async def test_a_team_that_is_gone_stops_nobody(
    visitor: Browser, provider: StandInProvider, settings: ApiSettings
) -> None:
    give(settings, ("staff", str(TEAM), "editor"))
    assert (await sign_in_with(visitor, provider, "grace", **roles("staff"))).status_code == 200
    assert await teams(visitor) == {}


async def test_the_team_log_names_the_provider(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, settings: ApiSettings
) -> None:
    ada = await sign_up("ada")
    team = await make_team(ada, "News")
    give(settings, ("staff", team, "editor"))
    await sign_in_with(visitor, provider, "grace", **roles("staff"))
    entries = (await ada.get(f"/api/teams/{team}/log")).json()["data"]
    assert entries[0]["sentence"] == "Grace joined News as editor"


async def test_a_group_makes_administrators_and_unmakes_them(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp, state: AppState
) -> None:
    ada = await sign_up("ada")
    await promote(state, ada.user_id)
    for names, expected in ((("root",), True), ((), False)):
        user = (await sign_in_with(visitor, provider, "grace", **roles(*names))).json()["data"]["user"]
        assert user["is_admin"] is expected
        assert (await visitor.get("/api/admin/users")).status_code == (200 if expected else 403)


async def test_the_last_administrator_stays_one(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace", **roles("root"))
    user = (await sign_in_with(visitor, provider, "grace", **roles())).json()["data"]["user"]
    assert user["is_admin"] is True
