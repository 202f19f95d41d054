"""The last byte creates a file with its job exactly once, in one transaction, on both databases."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.files.models import File, FileStatus
from api.content.uploads import completion
from api.content.uploads.server import tus_context
from api.content.uploads.sweep import sweep
from api.content.uploads.tus.errors import BYTES_LOST
from api.content.uploads.tus.storage.local_store import LocalStore
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import EVENT
from api.testing.browser import Browser
from api.testing.uploads.sending import TUS, failures, send, send_all, start
from cluster.storage.folder import LocalStorage

BODY = b"the bytes of a talk" * 1000


async def rows(state: AppState, table: type[Any]) -> list[Any]:
    async with state.database.read() as session:
        return list((await session.scalars(select(table))).all())


async def the_only(state: AppState, table: type[Any]) -> Any:
    (row,) = await rows(state, table)
    return row


async def check_complete_once(state: AppState, body: bytes = BODY) -> None:
    upload: Upload = await the_only(state, Upload)
    file: File = await the_only(state, File)
    job: Job = await the_only(state, Job)
    tus: TusUpload = await the_only(state, TusUpload)
    assert (upload.status, upload.bytes_uploaded, upload.error) == (UploadStatus.WAITING, len(body), None)
    assert not upload.is_displayed
    assert (file.status, file.upload_id, file.user_id) == (FileStatus.WAITING, upload.id, upload.user_id)
    assert (job.kind, job.state, job.subject_id) == (JobKind.UPLOAD, JobState.READY, file.id)
    assert job.request["source_key"] == file.original_key == tus.storage_key == f"uploads/{tus.id}/original"
    assert tus.completed_at is not None
    assert b"".join(state.storage.read(file.original_key)) == body
    events = [message.payload["data"] for message in await rows(state, OutboxMessage) if message.topic == EVENT]
    completed = [event for event in events if (event["queue"], event["action"]) == ("Tus", "Completed")]
    assert [event["slug"] for event in completed] == [upload.slug]
    assert not state.settings.storage_root.joinpath(".incoming", tus.id).exists()


async def test_a_whole_upload_becomes_a_waiting_file_with_its_job(ada: Browser, state: AppState) -> None:
    location = await start(ada, len(BODY), filename="Viðtal 会議.mp4", language="en-US")
    await send(ada, location, 0, BODY[:7000])
    upload = await the_only(state, Upload)
    assert (upload.status, upload.bytes_uploaded, upload.filesize) == (UploadStatus.UPLOADING, 7000, len(BODY))
    assert await rows(state, File) == []
    await send(ada, location, 7000, BODY[7000:])
    await check_complete_once(state)
    file = await the_only(state, File)
    assert (file.name, file.filename, file.language) == ("Viðtal 会議", "Viðtal 会議.mp4", "en-US")


async def test_an_upload_of_zero_bytes_becomes_a_file_too(ada: Browser, state: AppState) -> None:
    await start(ada, 0)
    await check_complete_once(state, b"")


@pytest.mark.long
@pytest.mark.parametrize(
    ("broken", "repair"),
    [
        ("before the move", "restart"),
        ("before the move", "patch"),
        ("before the transaction", "head"),
        ("in the transaction", "restart"),
        ("in the transaction", "patch"),
    ],
)
async def test_a_crash_in_the_last_steps_is_repaired_once(
    ada: Browser, state: AppState, app: FastAPI, monkeypatch: pytest.MonkeyPatch, broken: str, repair: str
) -> None:
    location = await start(ada, len(BODY))

    def die(*_: object, **__: object) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patched:
        if broken == "before the move":
            patched.setattr(LocalStorage, "put", die)
        elif broken == "before the transaction":
            patched.setattr(completion, "_complete", die)
        else:
            patched.setattr(completion, "create_file", die)
        assert (await send(ada, location, 0, BODY)).status_code == 500
    assert await rows(state, File) == []
    assert (await the_only(state, Upload)).status == UploadStatus.UPLOADING

    if repair == "head":
        answer = await ada.head(location, headers=TUS)
        assert (answer.status_code, answer.headers["Upload-Offset"]) == (200, str(len(BODY)))
    elif repair == "patch":
        assert (await send(ada, location, len(BODY), b"")).status_code == 204
    else:
        await sweep(tus_context(state), state.database)
    await check_complete_once(state)


@pytest.mark.long
async def test_concurrent_completions_of_one_upload_complete_it_once(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await start(ada, len(BODY))
    with monkeypatch.context() as patched:
        patched.setattr(completion, "_complete", None)
        await send(ada, location, 0, BODY)
    host = tus_context(state)
    record = await host.records.get(location.rpartition("/")[2])
    assert record is not None
    # Without the lock, so that only the guard in the transaction protects.
    await asyncio.gather(*(host.complete(record) for _ in range(5)))
    await check_complete_once(state)


async def test_an_upload_cancelled_while_it_completes_leaves_nothing(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await start(ada, len(BODY))
    upload = await the_only(state, Upload)
    put = LocalStorage.put

    def put_after_cancel(self: LocalStorage, source: Any, key: str) -> int:
        asyncio.run_coroutine_threadsafe(tus_context(state).records.terminate(upload.tus_id), loop).result()
        return put(self, source, key)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(LocalStorage, "put", put_after_cancel)
    await send(ada, location, 0, BODY)
    assert await rows(state, File) == []
    assert (await the_only(state, Upload)).status == UploadStatus.CANCELLED
    assert not state.storage.exists(f"uploads/{upload.id}/original")


async def test_lost_bytes_give_a_sentence_and_no_file(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await start(ada, len(BODY))
    with monkeypatch.context() as patched:
        patched.setattr(LocalStorage, "put", None)
        await send(ada, location, 0, BODY)
    (state.settings.storage_root / ".incoming" / location.rpartition("/")[2]).unlink()
    await sweep(tus_context(state), state.database)
    upload = await the_only(state, Upload)
    assert (upload.status, upload.error) == (UploadStatus.FAILED, BYTES_LOST)
    assert await failures(state) == [(upload.slug, upload.filename, BYTES_LOST)]
    assert await rows(state, File) == []


async def test_the_last_request_reports_that_bytes_were_lost(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await start(ada, len(BODY))
    monkeypatch.setattr(LocalStore, "publish", lambda *_: False)
    answer = await send(ada, location, 0, BODY)
    assert (answer.status_code, answer.json()["message"]) == (410, BYTES_LOST)
    assert (await ada.head(location, headers=TUS)).status_code == 410
    upload = await the_only(state, Upload)
    assert (upload.status, upload.is_displayed) == (UploadStatus.FAILED, True)
    assert await failures(state) == [(upload.slug, upload.filename, BYTES_LOST)]


@pytest.mark.long
async def test_an_upload_that_cannot_be_finished_does_not_stop_the_sweep(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await start(ada, len(BODY)), await start(ada, len(BODY))
    with monkeypatch.context() as patched:
        patched.setattr(completion, "_complete", None)
        for location in (first, second):
            await send(ada, location, 0, BODY)
    lost = first.rpartition("/")[2]
    state.storage.delete(f"uploads/{lost}/original")
    await sweep(tus_context(state), state.database)
    ended = {upload.tus_id: upload.status for upload in await rows(state, Upload)}
    assert ended == {lost: UploadStatus.FAILED, second.rpartition("/")[2]: UploadStatus.WAITING}


@pytest.mark.long
async def test_uploads_of_two_people_do_not_mix(ada: Browser, bob: Browser, state: AppState) -> None:
    await asyncio.gather(*(send_all(who, f"{who.user['name']}{i}".encode()) for who in (ada, bob) for i in range(5)))
    files = await rows(state, File)
    assert len(files) == 10
    for file in files:
        owner = ada if file.user_id == ada.user_id else bob
        assert b"".join(state.storage.read(file.original_key)).startswith(owner.user["name"].encode())
