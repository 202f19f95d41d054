"""Kept answers of lists: sent only while nothing that they show has changed, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from sqlalchemy import select, update

from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File
from api.content.library.list_answers import READ_AT_ONCE, AnswerCache
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file


async def test_an_answer_is_kept_until_anything_it_shows_changes(ada: Browser, app: FastAPI, state: AppState) -> None:
    kept: AnswerCache = app.state.file_lists
    files = [await captioned_file(state, ada.user_id) for _ in range(3)]
    async with state.database.write() as session:
        await session.execute(update(Job).values(state=JobState.DONE))
    slug = files[1].slug

    async def listed(**query: Any) -> Any:
        answer = await ada.get("/api/files", params=query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    async def export(status: ExportStatus | None) -> None:
        async with state.database.write() as session:
            if status is None:
                session.add(Export(file_id=files[1].id, language="en-US"))
            else:
                (await session.scalars(select(Export))).one().status = status

    async def rename_track() -> None:
        async with state.database.write() as session:
            (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == files[1].id))).one().revision += 1

    tag = (await ada.post("/api/tags", json={"tag": "One"})).json()["data"]["slug"]
    changes: list[Callable[[], Awaitable[Any]]] = [
        lambda: ada.put(f"/api/files/{slug}", json={"name": "Renamed"}),
        lambda: ada.put(f"/api/tags/{slug}", json={"tags": [tag]}),
        lambda: ada.patch(f"/api/tags/{tag}", json={"colour": "pink"}),
        lambda: export(None),
        lambda: export(ExportStatus.COMPLETE),
        lambda: ada.delete(f"/api/tags/{tag}"),
        lambda: ada.delete(f"/api/files/{files[0].slug}"),
        lambda: ada.post("/api/files/bin/restore", json={"ids": [str(files[0].id)]}),
    ]
    last = await listed()
    for change in changes:
        count = len(kept.bodies)
        assert await listed() == last
        assert len(kept.bodies) == count
        answer = await change()
        assert answer is None or answer.status_code < 300, answer.text
        now = await listed()
        assert now != last
        last = now
    await rename_track()
    count = len(kept.bodies)
    assert await listed() == last
    assert len(kept.bodies) == count + 1
    assert [file["slug"] for file in (await listed(per_page=1, page=2))["data"]] == [slug]
    assert (await listed(per_page=1, page=9))["meta"] == {"total": 3, "page": 9, "per_page": 1}


async def test_lists_with_work_in_progress_are_never_kept(ada: Browser, app: FastAPI, state: AppState) -> None:
    kept: AnswerCache = app.state.file_lists
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        await session.execute(update(Job).values(state=JobState.DONE))
    await ada.get("/api/files")
    assert len(kept.bodies) == 1
    started = await ada.post(f"/api/video/export/{file.slug}", json={"language": "en-US"})
    assert started.status_code == 201
    await ada.get("/api/files")
    assert len(kept.bodies) == 1


async def test_a_kept_answer_does_not_overtake_those_who_wait_for_a_reading(
    ada: Browser, bob: Browser, app: FastAPI, state: AppState
) -> None:
    """People who asked again at once for what was kept left the others waiting until their calls were given up."""
    kept: AnswerCache = app.state.file_lists
    await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        await session.execute(update(Job).values(state=JobState.DONE))
    await ada.get("/api/files")
    order: list[str] = []

    async def listed(name: str, browser: Browser, **query: Any) -> None:
        assert (await browser.get("/api/files", params=query)).status_code == 200
        order.append(name)

    for _ in range(READ_AT_ONCE):
        await kept.turns.acquire()
    async with asyncio.TaskGroup() as group:
        group.create_task(listed("read", bob))
        while not kept.turns._waiters:
            await asyncio.sleep(0.01)
        again = group.create_task(listed("kept", ada))
        done, _ = await asyncio.wait([again], timeout=0.5)
        assert not done
        for _ in range(READ_AT_ONCE):
            kept.turns.release()
    assert sorted(order) == ["kept", "read"]


async def test_answers_of_one_person_never_reach_another(
    ada: Browser, bob: Browser, app: FastAPI, state: AppState
) -> None:
    for browser in (ada, bob):
        await captioned_file(state, browser.user_id)
    async with state.database.write() as session:
        await session.execute(update(Job).values(state=JobState.DONE))
        ids = {file.user_id: str(file.id) for file in await session.scalars(select(File))}
    for _ in range(2):
        for browser in (ada, bob):
            (file,) = (await browser.get("/api/files")).json()["data"]
            assert file["id"] == ids[browser.user_id]


def test_the_least_used_answers_make_room() -> None:
    kept = AnswerCache(limit=25)
    for name in (b"a", b"b"):
        kept.put(name, b"x" * 10)
    assert kept.get(b"a") is not None
    kept.put(b"c", b"x" * 10)
    assert (kept.get(b"b"), len(kept.bodies), kept.size) == (None, 2, 20)
