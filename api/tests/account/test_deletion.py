"""A deleted account: restored within its time, gone with every byte afterwards."""

from __future__ import annotations

import asyncio
import io
import json
import uuid
from datetime import datetime
from zipfile import ZipFile

import pytest
from PIL import Image
from sqlalchemy import func, select, update

from api.content.belongings.ending import ContentBelongings
from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File
from api.people.account.deletion import OWNS_TEAMS, RENEWS
from api.people.account.purge import purge_expired
from api.people.plans.models import Subscription, SubscriptionStatus
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import cleanup_delivery
from api.platform.jobs.models import Job
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.jobs.states import JobState
from api.testing.browser import PASSWORD, Browser
from api.testing.files.transcribed import captioned_file
from api.testing.files.uploaded_file import uploaded_file
from api.testing.mailbox import Mailbox
from pipelines.messages.results import parts_folder

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
LOGIN = {"email": "ada@example.com", "password": PASSWORD}


async def delete(browser: Browser, **change: str) -> tuple[int, dict[str, object]]:
    body = {"password": PASSWORD, "confirmation": "Ada@example.com"} | change
    answer = await browser.request("DELETE", "/api/user", json=body)
    return answer.status_code, answer.json()


async def purge(state: AppState) -> int:
    """Purge what was deleted until now, and remove the bytes."""
    async with state.database.read() as session:
        now: datetime = (await session.scalars(select(clock.now(60)))).one()
    count = await purge_expired(state.database, ContentBelongings(), now)
    delivery = cleanup_delivery(state.storage)
    while await OutboxSender(state.database, [delivery]).send_batch(delivery):
        pass
    return count


async def team_of(state: AppState, name: str, owner: Browser, *members: Browser, payer: Browser | None = None) -> Team:
    """A team; its members are editors."""
    team = Team(name=name, payer_id=(payer or owner).user_id)
    async with state.database.write() as session:
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=owner.user_id, role=TeamRole.OWNER))
        session.add_all(Membership(team_id=team.id, user_id=each.user_id, role=TeamRole.EDITOR) for each in members)
    return team


async def test_a_deleted_account_is_restored_by_signing_in(
    ada: Browser, visitor: Browser, state: AppState, mailbox: Mailbox
) -> None:
    file = await captioned_file(state, ada.user_id)
    assert (await delete(ada))[0] == 200
    assert (await ada.get("/api/user")).status_code == 401
    assert "restore" in (await mailbox.newest("ada@example.com")).text
    refused = await visitor.post("/login", json=LOGIN)
    assert (refused.status_code, refused.json()["code"]) == (409, "account_deleted")
    wrong = await visitor.post("/login", json=LOGIN | {"password": "not hers", "restore": True})
    assert wrong.status_code == 422
    assert (await visitor.get("/api/user")).status_code == 401
    assert (await visitor.post("/login", json=LOGIN | {"restore": True})).status_code == 200
    assert [each["slug"] for each in (await visitor.get("/api/files")).json()["data"]] == [file.slug]
    actions = [entry["action"] for entry in (await visitor.get("/api/user/log")).json()["data"]]
    assert {"account.deleted", "account.restored"} <= set(actions)


@ONLY_SQLITE
async def test_deletion_asks_for_the_password_and_the_typed_address(ada: Browser) -> None:
    status, body = await delete(ada, password="not hers")
    assert (status, list(dict(body["errors"]))) == (422, ["password"])  # type: ignore[call-overload]
    status, body = await delete(ada, confirmation="bob@example.com")
    assert (status, list(dict(body["errors"]))) == (422, ["confirmation"])  # type: ignore[call-overload]
    assert (await ada.get("/api/user")).status_code == 200


@ONLY_SQLITE
async def test_work_of_a_deleted_account_stops(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    assert (await delete(ada))[0] == 200
    async with state.database.read() as session:
        states = (await session.scalars(select(Job.state).where(Job.file_id == file.id))).all()
    assert set(states) == {JobState.CANCELLED}


async def test_who_alone_owns_or_pays_for_a_team_stays(ada: Browser, bob: Browser, state: AppState) -> None:
    team = await team_of(state, "News", ada, bob, payer=bob)
    status, body = await delete(ada)
    assert (status, body["code"], body["message"]) == (409, "still_responsible", OWNS_TEAMS(teams="“News”"))
    async with state.database.write() as session:
        await session.execute(update(Membership).where(Membership.user_id == bob.user_id).values(role=TeamRole.OWNER))
        await session.execute(update(Team).where(Team.id == team.id).values(payer_id=ada.user_id))
    assert (await delete(ada))[0] == 409, "she pays"
    async with state.database.write() as session:
        await session.execute(update(Team).where(Team.id == team.id).values(payer_id=bob.user_id))
    assert (await delete(ada))[0] == 200


@ONLY_SQLITE
async def test_a_subscription_that_renews_is_cancelled_first(ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        paid = {"tier": "creator", "period": "monthly", "status": SubscriptionStatus.ACTIVE}
        session.add(Subscription(user_id=ada.user_id, stripe_id="sub_1", **paid))
    status, body = await delete(ada)
    assert (status, body["message"]) == (409, RENEWS)
    async with state.database.write() as session:
        await session.execute(update(Subscription).values(cancel_at=clock.now(3600)))
    assert (await delete(ada))[0] == 200


@pytest.mark.long
async def test_a_purge_leaves_no_byte_and_what_belongs_to_a_team(ada: Browser, bob: Browser, state: AppState) -> None:
    mine, shared = await captioned_file(state, ada.user_id), await captioned_file(state, ada.user_id)
    team = await team_of(state, "News", bob, ada)
    export_key, part_key = f"exports/{uuid.uuid4().hex}/video.mp4", f"{parts_folder(mine.id)}/part.mp4"
    for key in (export_key, part_key):
        source = state.settings.work_root / "video"
        await asyncio.to_thread(source.write_bytes, b"video")
        await asyncio.to_thread(state.storage.put, source, key)
    async with state.database.write() as session:
        await session.execute(update(File).where(File.id == shared.id).values(team_id=team.id))
        session.add(Export(file_id=mine.id, language="en-US", status=ExportStatus.COMPLETE, export_key=export_key))
    picture = io.BytesIO()
    Image.new("RGB", (20, 20)).save(picture, "PNG")
    await ada.post(
        "/api/user/settings", data={"_method": "PUT", "name": "Ada"}, files={"img": ("a.png", picture.getvalue())}
    )
    async with state.database.read() as session:
        picture_key = await session.scalar(select(User.avatar_key).where(User.id == ada.user_id))
    assert picture_key is not None
    gone = (mine.original_key, export_key, part_key, picture_key)
    assert all(state.storage.exists(key) for key in gone)
    assert await purge(state) == 0
    assert (await delete(ada))[0] == 200
    assert await purge(state) == 1
    assert [key for key in gone if state.storage.exists(key)] == []
    async with state.database.read() as session:
        assert await session.get(User, ada.user_id) is None
        assert (await session.scalars(select(File.user_id))).all() == [bob.user_id]
        assert await session.scalar(select(func.count()).select_from(CaptionTrack)) == 1
    assert state.storage.exists(shared.original_key)
    listed = (await bob.get("/api/files")).json()["data"]
    assert [(each["slug"], each["status"]) for each in listed] == [(shared.slug, "completed")]
    assert await purge(state) == 0


@ONLY_SQLITE
async def test_a_restored_account_is_not_purged(ada: Browser, visitor: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    await delete(ada)
    await visitor.post("/login", json=LOGIN | {"restore": True})
    assert await purge(state) == 0
    assert state.storage.exists(file.original_key)


async def test_a_copy_of_ones_data_holds_everything_and_nothing_of_others(
    ada: Browser, bob: Browser, state: AppState
) -> None:
    file = await captioned_file(state, ada.user_id, "The harbour is closed.", filename="../evil\nname?.mp4")
    await captioned_file(state, bob.user_id, "Bob's secret.")
    term = {"source": "harbour", "target": "höfn", "from": "en", "to": "is", "note": "", "case": False}
    assert (await ada.post("/api/glossary", json=term)).status_code == 201
    answer = await ada.get("/api/user/export")
    assert answer.status_code == 200, answer.text
    assert "sagascript-data.zip" in answer.headers["content-disposition"]
    with ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        read = {name: archive.read(name).decode() for name in archive.namelist()}
    assert all(".." not in name and not name.startswith("/") for name in read)
    profile = json.loads(read["profile.json"])
    assert (profile["email"], profile["name"]) == ("ada@example.com", "Ada")
    assert [each["slug"] for each in json.loads(read["files.json"])] == [file.slug]
    srt = next(text for name, text in read.items() if file.slug in name and name.endswith("en-US.srt"))
    assert "The harbour is closed." in srt
    whole = next(text for name, text in read.items() if file.slug in name and name.endswith("en-US.json"))
    assert json.loads(whole)["lines"][0]["words"]
    assert "höfn" in read["glossary.csv"]
    assert "account.signed_in" in {entry["action"] for entry in json.loads(read["account-log.json"])}
    assert "Bob" not in "".join(read.values())
    assert "$argon2" not in "".join(read.values())


@ONLY_SQLITE
async def test_other_sites_cannot_start_a_copy(ada: Browser) -> None:
    assert (await ada.get("/api/user/export", headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
    assert (await ada.get("/api/user/export", headers={"Sec-Fetch-Site": "same-origin"})).status_code == 200
