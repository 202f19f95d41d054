"""Where the installation asks for a second factor, nobody works with a password alone."""

from __future__ import annotations

import pytest
from sqlalchemy import update

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
