"""What the owners of a team ask: how long sessions last, whose addresses join, how long files stay; and its copy."""

from __future__ import annotations

import csv
import io
import json
import uuid
import zipfile
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.people.teams.models import TeamRole
from api.people.users.models import BrowserSession
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.outbox import CONNECTION_END
from api.platform.retention.loop import apply_rules
from api.platform.retention.rules import RuleTools
from api.platform.settings import ApiSettings
from api.retention import RULES
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.mailbox import Mailbox
from api.testing.teams import invite, join, new_team, token_for


async def rule(owner: Browser, team: str, **rules: object) -> None:
    answer = await owner.put(f"/api/teams/{team}", json=rules)
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["rules"].items() >= rules.items()


async def grow_old(state: AppState, browser: Browser, hours: float) -> None:
    """Move a person's sign-in into the past."""
    async with state.database.write() as session:
        await session.execute(
            update(BrowserSession)
            .where(BrowserSession.user_id == browser.user_id)
            .values(created_at=clock.now(-timedelta(hours=hours).total_seconds()))
        )


async def tidy(state: AppState) -> dict[str, int]:
    return await apply_rules(RuleTools(state.settings, state.database, JOB_TYPES), RULES)


class TestSessions:
    async def test_members_sign_in_again_when_their_hours_are_over(
        self, ada: Browser, bob: Browser, state: AppState
    ) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        await rule(ada, team, session_hours=8)
        await grow_old(state, bob, 7.9)
        assert (await bob.get("/api/files")).status_code == 200
        await grow_old(state, bob, 8.1)
        assert (await bob.get("/api/files")).status_code == 401
        assert (await bob.post("/api/teams", json={"name": "More"})).status_code == 401
        assert (await ada.get("/api/files")).status_code == 200

    async def test_the_end_reaches_open_pages_too(self, ada: Browser, bob: Browser, state: AppState) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        await rule(ada, team, session_hours=8)
        await grow_old(state, bob, 9)
        assert (await tidy(state))["sessions that outlast their team's limit"] == 1
        # Whoever signs in now has their end planned.
        await bob.post("/login", json={"email": bob.user["email"], "password": PASSWORD})
        async with state.database.read() as session:
            ends = (
                await session.scalars(select(OutboxMessage.not_before).where(OutboxMessage.topic == CONNECTION_END))
            ).all()
            now = (await session.scalars(select(clock.now()))).one()
        planned = [at - now for at in ends if at is not None]
        assert len(ends) == 2
        assert [timedelta(hours=7) < each < timedelta(hours=9) for each in planned] == [True]

    async def test_the_shortest_of_somebodys_teams_counts_and_deleted_ones_do_not(
        self, ada: Browser, bob: Browser, state: AppState
    ) -> None:
        for hours in (24, 2):
            team = await new_team(ada, f"Team {hours}")
            await join(state, ada, team, bob)
            await rule(ada, team, session_hours=hours)
        await grow_old(state, bob, 3)
        assert (await bob.get("/api/files")).status_code == 401
        assert (await ada.delete(f"/api/teams/{team}")).status_code == 204
        assert (await bob.get("/api/files")).status_code == 200

    async def test_support_that_looks_in_keeps_its_own_session(
        self, ada: Browser, sign_up: SignUp, state: AppState
    ) -> None:
        team = await new_team(ada)
        await rule(ada, team, session_hours=1)
        root = await sign_up("root")
        await promote(state, root.user_id)
        await grow_old(state, root, 5)
        body = {"id": str(ada.user_id), "reason": "To see what is missing"}
        assert (await root.post("/api/browse-as", json=body)).status_code == 200
        assert (await root.get("/api/files")).status_code == 200
        assert (await tidy(state))["sessions that outlast their team's limit"] == 0

    @pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
    async def test_an_owner_ends_the_limit_and_nonsense_is_refused(self, ada: Browser, state: AppState) -> None:
        team = await new_team(ada)
        await rule(ada, team, session_hours=1)
        await rule(ada, team, session_hours=None)
        await grow_old(state, ada, 50)
        assert (await ada.get("/api/files")).status_code == 200
        for wrong in ({"session_hours": 0}, {"keep_days": 0}, {"keep_days": 99_999}, {"email_domains": ["no domain"]}):
            assert (await ada.put(f"/api/teams/{team}", json=wrong)).status_code == 422, wrong


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestInstallation:
    @pytest.fixture
    def settings(self, settings: ApiSettings) -> ApiSettings:
        return settings.model_copy(update={"session_hours": 48, "session_hours_max": 72})

    async def test_work_extends_a_session_up_to_its_longest_time(self, ada: Browser, state: AppState) -> None:
        async def left() -> float:
            async with state.database.read() as session:
                end, now = (await session.execute(select(BrowserSession.expires_at, clock.now()))).one()
            return float((end - now) / timedelta(hours=1))

        assert (await ada.get("/api/files")).status_code == 200
        await grow_old(state, ada, 40)
        async with state.database.write() as session:
            await session.execute(update(BrowserSession).values(expires_at=clock.now(8 * 3600)))
        assert (await ada.post("/api/teams", json={"name": "One"})).status_code == 201
        assert 31 < await left() <= 32
        async with state.database.write() as session:
            await session.execute(update(BrowserSession).values(created_at=clock.now(-71.5 * 3600)))
        assert (await ada.post("/api/teams", json={"name": "Two"})).status_code == 201
        assert 31 < await left() <= 32, "what is left is not made shorter by use"


class TestDomains:
    async def test_only_people_of_the_domains_are_invited_and_join(
        self, ada: Browser, bob: Browser, state: AppState
    ) -> None:
        team = await new_team(ada)
        await invite(ada, team, bob.user["email"])
        await rule(ada, team, email_domains=["news.example"])
        refused = await ada.post(f"/api/teams/{team}/invitations", json={"email": "eve@example.com", "role": "viewer"})
        assert refused.status_code == 422
        assert refused.json()["errors"]["email"] == [
            "Only people with an address of these domains may join Newsroom: news.example."
        ]
        await invite(ada, team, "eve@news.example")
        token = await token_for(state, bob.user["email"])
        late = await bob.post("/api/teams/invitations/accept", json={"token": token})
        assert (late.status_code, list(late.json()["errors"])) == (422, ["email"])
        await rule(ada, team, email_domains=[])
        assert (await bob.post("/api/teams/invitations/accept", json={"token": token})).status_code == 200

    async def test_members_keep_an_address_of_the_domains(self, ada: Browser, bob: Browser, state: AppState) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        await rule(ada, team, email_domains=["example.com"])

        async def change(email: str) -> int:
            answer = await bob.put("/api/user/email", json={"email": email, "password": PASSWORD})
            if answer.status_code == 422:
                assert "Leave the team before" in answer.json()["errors"]["email"][0]
            return answer.status_code

        assert await change("bob@elsewhere.example") == 422
        assert await change("robert@example.com") == 200
        # Begun before the rule, and opened after it.
        await rule(ada, team, email_domains=[])
        assert await change("bob@elsewhere.example") == 200
        link = await Mailbox(state).link("bob@elsewhere.example")
        await rule(ada, team, email_domains=["example.com"])
        verified = {"id": str(bob.user_id), "hash": link.partition(f"{bob.user_id}/")[2]}
        assert (await bob.post("/api/email/verify", json=verified)).status_code == 422
        assert (await bob.post(f"/api/teams/{team}/leave")).status_code in (200, 204)
        assert (await bob.post("/api/email/verify", json=verified)).status_code == 200

    @pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
    async def test_domains_have_one_form(self, ada: Browser) -> None:
        team = await new_team(ada)
        answer = await ada.put(f"/api/teams/{team}", json={"email_domains": ["@B.example", "a.example", "b.example"]})
        assert answer.json()["data"]["rules"]["email_domains"] == ["a.example", "b.example"]


class TestFiles:
    async def in_team(self, state: AppState, owner: Browser, team: str, days: int) -> File:
        file = await captioned_file(state, owner.user_id)
        async with state.database.write() as session:
            await session.execute(
                update(File)
                .where(File.id == file.id)
                .values(team_id=uuid.UUID(team), created_at=clock.now(-days * 86_400))
            )
        return file

    async def test_files_go_to_the_bin_after_the_days_of_their_team(
        self, ada: Browser, bob: Browser, state: AppState
    ) -> None:
        team, other = await new_team(ada), await new_team(ada, "Archive")
        await join(state, ada, team, bob, TeamRole.VIEWER)
        old, young = await self.in_team(state, ada, team, 31), await self.in_team(state, ada, team, 29)
        elsewhere = await self.in_team(state, ada, other, 400)
        assert (await tidy(state))["files that outlived their team's days"] == 0
        await rule(ada, team, keep_days=30)
        assert (await tidy(state))["files that outlived their team's days"] == 1
        listed = {each["slug"] for each in (await ada.get("/api/files")).json()["data"]}
        assert listed == {young.slug, elsewhere.slug}
        assert [each["slug"] for each in (await ada.get("/api/files/bin")).json()["data"]] == [old.slug]
        newest = (await bob.get(f"/api/teams/{team}/log")).json()["data"][0]
        assert newest["by"] == "Sagascript"
        assert newest["sentence"] == f"Moved {old.name} to the bin, because the team keeps files for 30 days"

    async def test_what_is_restored_or_moved_into_the_team_has_all_its_days_again(
        self, ada: Browser, state: AppState
    ) -> None:
        team = await new_team(ada)
        restored = await self.in_team(state, ada, team, 31)
        await rule(ada, team, keep_days=30)
        await tidy(state)
        assert (await ada.post("/api/files/bin/restore", json={"ids": [str(restored.id)]})).status_code == 204
        moved = await captioned_file(state, ada.user_id)
        async with state.database.write() as session:
            await session.execute(update(File).where(File.id == moved.id).values(created_at=clock.now(-90 * 86_400)))
        assert (await ada.post(f"/api/teams/{team}/files", json={"ids": [str(moved.id)]})).status_code == 200
        assert (await tidy(state))["files that outlived their team's days"] == 0
        listed = (await ada.get("/api/files")).json()["data"]
        assert {each["slug"] for each in listed} == {restored.slug, moved.slug}
        assert all(each["kept_since"] > each["created_at"] for each in listed)


class TestCopy:
    async def test_an_owner_gets_all_that_the_team_has_and_nothing_else(
        self, ada: Browser, bob: Browser, state: AppState
    ) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        shared = await captioned_file(state, bob.user_id, "What the team said.")
        own = await captioned_file(state, ada.user_id, "What Ada said.")
        assert (await bob.post(f"/api/teams/{team}/files", json={"ids": [str(shared.id)]})).status_code == 200
        await rule(ada, team, keep_days=900, email_domains=["example.com"])
        answer = await ada.get(f"/api/teams/{team}/export")
        assert answer.headers["content-disposition"].startswith('attachment; filename="sagascript-team.zip"')
        with zipfile.ZipFile(io.BytesIO(answer.content)) as copy:
            facts = json.loads(copy.read("team.json"))
            assert [(each["name"], each["role"]) for each in facts["members"]] == [("Ada", "owner"), ("Bob", "editor")]
            assert facts["rules"]["keep_days"] == 900
            assert [each["slug"] for each in json.loads(copy.read("files.json"))] == [shared.slug]
            everything = b"".join(copy.read(name) for name in copy.namelist())
            assert b"What the team said." in everything
            assert b"What Ada said." not in everything
            assert own.slug.encode() not in everything
            assert "team.json" in copy.read("README.txt").decode()
            assert not any(name.startswith("api-keys") for name in copy.namelist())
        newest = (await ada.get(f"/api/teams/{team}/log")).json()["data"][0]
        assert newest["sentence"] == "Downloaded a copy of what the team has"

    async def test_others_get_none(self, ada: Browser, bob: Browser, sign_up: SignUp, state: AppState) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        assert (await bob.get(f"/api/teams/{team}/export")).status_code == 403
        eve = await sign_up("eve")
        assert (await eve.get(f"/api/teams/{team}/export")).status_code == 404
        foreign = await ada.get(f"/api/teams/{team}/export", headers={"Sec-Fetch-Site": "cross-site"})
        assert foreign.status_code == 403

    async def test_the_log_comes_as_a_table_too(self, ada: Browser, bob: Browser, state: AppState) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        answer = await bob.get(f"/api/teams/{team}/log?format=csv")
        assert answer.headers["content-type"].startswith("text/csv")
        rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))
        assert rows[0] == ["at", "action", "what", "actor"]
        assert [(row[1], row[3]) for row in rows[1:]] == [
            ("member.joined", "You"),
            ("invitation.sent", "Ada"),
            ("team.created", "Ada"),
        ]
