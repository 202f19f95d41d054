"""Where the installation asks for a second factor, nobody works with a password alone."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import update

from api.people.teams.models import Membership, TeamRole
from api.people.users.models import NO_PASSWORD, User
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp
from api.tests.second_factor.conftest import Clock, add_phone


class TestEverybody:
    @pytest.fixture
    def settings(self, settings: ApiSettings) -> ApiSettings:
        return settings.model_copy(update={"second_factor": "everybody"})

    async def test_only_the_account_is_open_until_there_is_an_app(self, ada: Browser, clock: Clock) -> None:
        assert (await ada.get("/api/user")).json()["data"]["must_add_factor"] is True
        for path in ("/api/files", "/api/tags", "/api/teams"):
            answer = await ada.get(path)
            assert (answer.status_code, answer.json()["code"]) == (409, "second_factor_missing"), path
        await add_phone(ada, clock)
        assert (await ada.get("/api/user")).json()["data"]["must_add_factor"] is False
        assert (await ada.get("/api/files")).status_code == 200

    async def test_who_has_no_password_is_asked_by_their_provider(self, ada: Browser, state: AppState) -> None:
        async with state.database.write() as session:
            await session.execute(update(User).values(password_hash=NO_PASSWORD))
        assert (await ada.get("/api/files")).status_code == 200

    async def test_support_may_look_meanwhile(
        self, ada: Browser, sign_up: SignUp, clock: Clock, state: AppState
    ) -> None:
        root = await sign_up("root")
        await promote(state, root.user_id)
        await add_phone(root, clock)
        body = {"id": str(ada.user_id), "reason": "To see what is missing"}
        assert (await root.post("/api/browse-as", json=body)).status_code == 200
        assert (await root.get("/api/files")).status_code == 200
        assert (await root.get("/api/user")).json()["data"]["must_add_factor"] is False


class TestAdministrators:
    @pytest.fixture
    def settings(self, settings: ApiSettings) -> ApiSettings:
        return settings.model_copy(update={"second_factor": "admins"})

    async def test_others_work_as_before(self, ada: Browser, sign_up: SignUp, state: AppState) -> None:
        root = await sign_up("root")
        await promote(state, root.user_id)
        assert (await ada.get("/api/files")).status_code == 200
        assert (await root.get("/api/admin/users")).json()["code"] == "second_factor_missing"


class TestATeam:
    @pytest.fixture
    async def team(self, ada: Browser, bob: Browser, clock: Clock, state: AppState) -> str:
        """Ada owns it and has an app, Bob edits there and has none."""
        await add_phone(ada, clock)
        made = await ada.post("/api/teams", json={"name": "Crew"})
        team_id = str(made.json()["data"]["id"])
        async with state.database.write() as session:
            session.add(Membership(team_id=uuid.UUID(team_id), user_id=bob.user_id, role=TeamRole.EDITOR))
        return team_id

    async def test_its_members_need_an_app_as_soon_as_it_asks(
        self, ada: Browser, bob: Browser, clock: Clock, team: str
    ) -> None:
        assert (await bob.get("/api/files")).status_code == 200
        changed = await ada.put(f"/api/teams/{team}", json={"requires_factor": True})
        assert changed.json()["data"]["rules"]["requires_factor"] is True
        assert (await ada.get("/api/files")).status_code == 200
        refused = await bob.get("/api/files")
        assert (refused.status_code, refused.json()["code"]) == (409, "second_factor_missing")
        user = (await bob.get("/api/user")).json()["data"]
        assert (user["must_add_factor"], user["factor_teams"]) == (True, [team])
        await add_phone(bob, clock)
        assert (await bob.get("/api/files")).status_code == 200
        # Another change of the team leaves it as it is.
        kept = await ada.put(f"/api/teams/{team}", json={"name": "Crew 2"})
        assert kept.json()["data"]["rules"]["requires_factor"] is True

    async def test_who_does_not_want_one_leaves(self, ada: Browser, bob: Browser, team: str) -> None:
        await ada.put(f"/api/teams/{team}", json={"requires_factor": True})
        assert (await bob.post(f"/api/teams/{team}/leave")).status_code == 204
        assert (await bob.get("/api/files")).status_code == 200

    async def test_an_owner_begins_with_their_own(self, ada: Browser, bob: Browser, team: str, state: AppState) -> None:
        async with state.database.write() as session:
            await session.execute(update(Membership).values(role=TeamRole.OWNER))
        refused = await bob.put(f"/api/teams/{team}", json={"requires_factor": True})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["requires_factor"])
        assert (await bob.get("/api/files")).status_code == 200

    async def test_a_deleted_team_asks_nobody(self, ada: Browser, bob: Browser, team: str) -> None:
        await ada.put(f"/api/teams/{team}", json={"requires_factor": True})
        assert (await ada.delete(f"/api/teams/{team}")).status_code == 204
        assert (await bob.get("/api/files")).status_code == 200
