"""The bin: deleted files vanish for everybody, can be restored for a while, and then go with every byte."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from api.content.arrivals.models import Upload
from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export
from api.content.files.models import File, FileStatus
from api.content.library.bin import service as bin
from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import STORAGE_CLEANUP
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobState
from api.platform.realtime.messages import Action, Topic
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.files.uploaded_file import uploaded_file
from api.testing.newsroom import Newsroom, make_newsroom


@pytest.fixture
async def newsroom(sign_up: SignUp, state: AppState) -> Newsroom:
    ada, bob, vera, eve = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    return await make_newsroom(state, ada, bob, vera, eve)


async def binned(browser: Browser) -> list[str]:
    answer = await browser.get("/api/files/bin")
    assert answer.status_code == 200, answer.text
    return [file["slug"] for file in answer.json()["data"]]


async def test_a_deleted_file_vanishes_and_comes_back_whole(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    before = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    captions = (await ada.get(f"/api/files/captions/{file.slug}")).json()["data"]["lines"]
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 204
    for path in (f"/api/files/{file.slug}", f"/api/files/captions/{file.slug}", f"/api/files/{file.slug}/media"):
        assert (await ada.get(path)).status_code == 404
    assert (await ada.delete(f"/api/files/{file.slug}")).status_code == 404
    assert (await ada.get("/api/files")).json()["meta"]["total"] == 0
    (row,) = (await ada.get("/api/files/bin")).json()["data"]
    assert (row["slug"], row["name"], row["days_left"]) == (file.slug, "talk", bin.BIN_DAYS)
    assert (await ada.post("/api/files/bin/restore", json={"ids": [row["id"]]})).status_code == 204
    assert await binned(ada) == []
    after = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    # The days for which a team would keep it begin anew.
    assert after.pop("kept_since") > before.pop("kept_since")
    assert after == before
    assert (await ada.get(f"/api/files/captions/{file.slug}")).json()["data"]["lines"] == captions


async def test_work_on_a_deleted_file_is_cancelled_and_can_be_started_again(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await ada.delete(f"/api/files/{file.slug}")
    async with state.database.read() as session:
        assert (await session.scalars(select(Job.state))).all() == [JobState.CANCELLED]
    await ada.post("/api/files/bin/restore", json={"ids": [str(file.id)]})
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["error"]) == (FileStatus.ABANDONED, bin.STOPPED)
    assert (await ada.post(f"/api/files/{file.slug}/retry")).json()["data"]["status"] == FileStatus.WAITING


@pytest.mark.long
async def test_deleting_several_is_all_or_none(ada: Browser, bob: Browser, state: AppState) -> None:
    mine = [await uploaded_file(state, ada.user_id) for _ in range(3)]
    theirs = await uploaded_file(state, bob.user_id)
    ids = [str(file.id) for file in mine]
    for other in (str(theirs.id), str(uuid.uuid4())):
        answer = await ada.request("DELETE", "/api/files/delete-multiple", json={"ids": [*ids, other]})
        assert answer.status_code == 404
        assert (await ada.get("/api/files")).json()["meta"]["total"] == 3
    assert (await ada.request("DELETE", "/api/files/delete-multiple", json={"ids": ids})).status_code == 204
    assert len(await binned(ada)) == 3
    assert await binned(bob) == []
    for call in ("restore", "purge"):
        assert (await bob.post(f"/api/files/bin/{call}", json={"ids": ids[:1]})).status_code == 404
        answer = await ada.post(f"/api/files/bin/{call}", json={"ids": [ids[0], str(theirs.id)]})
        assert (answer.status_code, answer.json()["message"]) == (404, bin.NOT_IN_BIN)
    assert len(await binned(ada)) == 3
    assert (await ada.delete("/api/files/bin")).json() == {"data": {"deleted": 3}}
    assert await binned(ada) == []


@pytest.mark.long
async def test_members_who_may_change_share_the_bin(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    after = await newsroom.last_event()
    assert (await newsroom.vera.delete(f"/api/files/{file.slug}")).status_code == 403
    assert (await newsroom.bob.delete(f"/api/files/{file.slug}")).status_code == 204
    assert newsroom.channels in await newsroom.heard_by(after=after)
    assert (await newsroom.vera.get(f"/api/files/{file.slug}")).status_code == 404
    assert [await binned(who) for who in (*newsroom.members, newsroom.eve)] == [[file.slug], [file.slug], [], []]
    ids = {"ids": [str(file.id)]}
    for who in (newsroom.vera, newsroom.eve):
        assert (await who.post("/api/files/bin/restore", json=ids)).status_code == 404
        assert (await who.post("/api/files/bin/purge", json=ids)).status_code == 404
    assert (await newsroom.ada.post("/api/files/bin/restore", json=ids)).status_code == 204
    assert (await newsroom.vera.get(f"/api/files/{file.slug}")).status_code == 200
    async with newsroom.state.database.read() as session:
        entries = (await session.execute(select(AuditEntry.action, AuditEntry.actor_id).order_by(AuditEntry.at))).all()
        events = (await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))).all()
    assert [entry for entry in entries if entry.action.startswith("file.")] == [
        (AuditAction.FILE_DELETED, newsroom.bob.user_id),
        (AuditAction.FILE_RESTORED, newsroom.ada.user_id),
    ]
    actions = [each["data"]["action"] for each in events if each.get("data", {}).get("queue") == Topic.FILE]
    assert list(dict.fromkeys(actions)) == [Action.DELETED, Action.RESTORED]


async def test_what_stayed_too_long_goes_with_every_byte(ada: Browser, state: AppState) -> None:
    old = await captioned_file(state, ada.user_id)
    young = await captioned_file(state, ada.user_id)
    ids = [str(old.id), str(young.id)]
    await ada.request("DELETE", "/api/files/delete-multiple", json={"ids": ids})
    async with state.database.write() as session:
        row = await session.get_one(File, old.id)
        row.deleted_at = utc_now() - timedelta(days=bin.BIN_DAYS, minutes=1)
        row.poster_key = "files/a/poster.jpg"
        session.add(Export(file_id=old.id, language="en-US", export_key="exports/a.mp4"))
    before = utc_now() - timedelta(days=bin.BIN_DAYS)
    assert await bin.purge_expired(state.database, before) == 1
    assert await bin.purge_expired(state.database, before) == 0
    assert await binned(ada) == [young.slug]
    async with state.database.read() as session:
        (cleanup,) = await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == STORAGE_CLEANUP))
        counts = [
            await session.scalar(select(func.count()).select_from(table))
            for table in (File, CaptionTrack, Export, Upload)
        ]
        assert (
            await session.scalars(select(Job.id).where(Job.file_id == old.id, Job.state == JobState.DONE))
        ).all() == []
    assert set(cleanup.payload["keys"]) == {old.original_key, old.audio_key, "files/a/poster.jpg", "exports/a.mp4"}
    assert counts == [1, 1, 0, 1]
