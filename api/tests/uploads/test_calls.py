"""The upload calls of the page: record, progress, error, list, cancel."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import SET_BY_BROWSER, UPLOAD_STATUS
from api.content.files.models import File
from api.content.uploads.names import clean_filename
from api.content.uploads.server import tus_context
from api.content.uploads.sweep import EXPIRED, QUIET_AFTER, sweep
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from api.testing.uploads.sending import TUS, failures, send, send_all, start

one_database = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

BODY = b"0123456789"


async def put(browser: Browser, location: str, **body: Any) -> dict[str, Any]:
    answer = await browser.put("/api/files/upload", json={"tus_url": location, **body})
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    assert isinstance(data, dict)
    return data


async def listed(browser: Browser) -> list[dict[str, Any]]:
    answer = await browser.get("/api/files/uploads")
    assert answer.status_code == 200
    found = answer.json()["data"]
    assert isinstance(found, list)
    return found


async def finished(browser: Browser, state: AppState) -> dict[str, Any]:
    """The only upload, which is no longer listed."""
    async with state.database.read() as session:
        upload_id = (await session.scalars(select(Upload.id))).one()
    data: dict[str, Any] = (await browser.get(f"/api/files/upload/{upload_id}")).json()["data"]
    return data


async def test_a_creation_makes_the_upload_that_the_page_lists(ada: Browser, bob: Browser) -> None:
    location = await start(ada, 10, filename="../../Ræða.mp4", language="no-such-language")
    (upload,) = await listed(ada)
    assert upload["filename"] == "Ræða.mp4"
    assert upload["tus_url"] == location
    assert (upload["filesize"], upload["filetype"], upload["language"]) == (10, "video/mp4", "auto")
    assert (upload["status"], upload["is_displayed"], upload["file_slug"]) == ("uploading", True, None)
    assert await listed(bob) == []


@one_database
async def test_recording_an_upload_finds_it_by_any_url_that_ends_in_its_id(ada: Browser) -> None:
    location = await start(ada, 10)
    body = {
        "tus_url": f"https://uploads.example{location}",
        "filename": "Other name.mp4",
        "filetype": "video/quicktime",
        "filesize": 99,
        "language": "en-US",
        "status": "completed",
        "user_id": "0",
    }
    answer = await ada.post("/api/files/upload", json=body)
    assert answer.status_code == 201
    upload = answer.json()["data"]
    assert (upload["filename"], upload["filetype"], upload["language"]) == (
        "Other name.mp4",
        "video/quicktime",
        "en-US",
    )
    assert (upload["filesize"], upload["status"], upload["tus_url"]) == (10, "uploading", location)
    assert len(await listed(ada)) == 1


@pytest.mark.long
@one_database
@pytest.mark.parametrize("url", ["", "http://169.254.169.254/", "/tus/" + "0" * 40, "javascript:alert(1)", "http://["])
async def test_a_url_of_no_own_upload_is_not_found(ada: Browser, url: str) -> None:
    for method in ("POST", "PUT"):
        assert (await ada.request(method, "/api/files/upload", json={"tus_url": url})).status_code == 404


@one_database
async def test_other_peoples_uploads_are_not_found_in_any_call(ada: Browser, bob: Browser) -> None:
    location = await start(ada, 10)
    await start(bob, 10)
    (upload,), (own,) = await listed(ada), await listed(bob)
    for method, path in (
        ("GET", f"/api/files/upload/{upload['id']}"),
        ("GET", f"/api/files/upload/{upload['slug']}"),
        ("GET", f"/api/files/uploads/{upload['id']}"),
        ("GET", f"/api/files/uploads/{own['id']},{upload['id']}"),
        ("GET", f"/api/files/uploads/{own['id']},nonsense"),
        ("DELETE", f"/api/files/upload/{upload['id']}"),
    ):
        assert (await bob.request(method, path)).status_code == 404, path
    answer = await bob.put("/api/files/upload", json={"tus_url": location, "status": "cancelled"})
    assert answer.status_code == 404
    assert (await listed(ada))[0]["status"] == "uploading"


@one_database
async def test_several_uploads_come_in_the_order_they_were_asked_for(ada: Browser) -> None:
    for _ in range(3):
        await start(ada, 10)
    ids = [upload["id"] for upload in await listed(ada)]
    wanted = [ids[2], ids[0]]
    answer = await ada.get(f"/api/files/uploads/{','.join(wanted)}")
    assert [upload["id"] for upload in answer.json()["data"]] == wanted


@one_database
async def test_progress_and_errors_stay_until_the_upload_resumes(ada: Browser) -> None:
    location = await start(ada, 10)
    assert (await put(ada, location, bytes_uploaded=4))["bytes_uploaded"] == 4
    assert (await put(ada, location, bytes_uploaded=4000))["bytes_uploaded"] == 10
    stopped = await put(ada, location, status="incomplete", error="No\x00 network\u202e")
    assert (stopped["status"], stopped["error"]) == ("incomplete", "No  network")
    again = await put(ada, location, status="uploading")
    assert (again["status"], again["error"]) == ("uploading", None)


@one_database
async def test_an_outdated_report_changes_nothing_once_all_bytes_are_here(ada: Browser) -> None:
    location = await send_all(ada, BODY)
    for news in ({"status": "uploading", "bytes_uploaded": 3}, {"status": "incomplete", "error": "Late."}):
        upload = await put(ada, location, **news)
        assert (upload["status"], upload["bytes_uploaded"], upload["error"]) == ("waiting", 10, None)
    told = await put(ada, location, status="waiting", bytes_uploaded=10)
    assert (told["status"], told["is_displayed"]) == ("waiting", False)


@one_database
async def test_an_upload_is_listed_until_it_is_a_file_or_hidden(ada: Browser, state: AppState) -> None:
    location = await start(ada, 10)
    assert (await put(ada, location, is_displayed=False))["is_displayed"] is False
    assert await listed(ada) == []
    await put(ada, location, is_displayed=True)
    assert len(await listed(ada)) == 1
    await send(ada, location, 0, BODY)
    assert await listed(ada) == [], "nobody needs to report the end: the server knows it"
    upload = await finished(ada, state)
    assert (upload["is_displayed"], upload["status"], bool(upload["file_slug"])) == (False, "waiting", True)


@pytest.mark.long
@one_database
@pytest.mark.parametrize(
    ("created", "sent", "kept"),
    [
        ("video/mp4", "video", "video/mp4"),
        ("video/mp4", "", "video/mp4"),
        ("video/mp4", "audio/ogg", "audio/ogg"),
        ("", "audio", "audio"),
        ("video", "unknown", "unknown"),
        ("video", "video/webm", "video/webm"),
        ("", "nonsense", ""),
    ],
)
async def test_a_kind_is_kept_and_never_replaces_a_mime_type(ada: Browser, created: str, sent: str, kept: str) -> None:
    location = await start(ada, 10, filetype=created)
    for method in ("POST", "PUT"):
        answer = await ada.request(method, "/api/files/upload", json={"tus_url": location, "filetype": sent})
        assert answer.json()["data"]["filetype"] == kept


@one_database
async def test_an_upload_with_missing_bytes_is_not_waiting(ada: Browser) -> None:
    location = await start(ada, 10)
    await send(ada, location, 0, b"0123")
    for status in ("waiting", "uploaded"):
        answer = await ada.put("/api/files/upload", json={"tus_url": location, "status": status})
        assert answer.status_code == 409
    assert (await listed(ada))[0]["status"] == "uploading"


@one_database
@pytest.mark.parametrize("status", sorted(set(UploadStatus) - SET_BY_BROWSER))
async def test_statuses_of_the_server_cannot_be_set(ada: Browser, status: UploadStatus) -> None:
    location = await start(ada, 10)
    answer = await ada.put("/api/files/upload", json={"tus_url": location, "status": status})
    assert answer.status_code == 422
    assert "status" in answer.json()["errors"]


@one_database
async def test_an_unknown_language_is_refused(ada: Browser) -> None:
    location = await start(ada, 10)
    answer = await ada.put("/api/files/upload", json={"tus_url": location, "language": "xx-XX"})
    assert answer.status_code == 422


@pytest.mark.long
@one_database
@pytest.mark.parametrize("by", ["delete", "put", "tus"])
async def test_a_cancelled_upload_is_over_and_its_bytes_are_gone(ada: Browser, state: AppState, by: str) -> None:
    location = await start(ada, 10)
    await send(ada, location, 0, b"0123")
    (upload,) = await listed(ada)
    if by == "delete":
        answer = await ada.delete(f"/api/files/upload/{upload['id']}")
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, "cancelled")
    elif by == "put":
        assert (await put(ada, location, status="cancelled"))["status"] == "cancelled"
    else:
        assert (await ada.delete(location, headers=TUS)).status_code == 204
    assert await listed(ada) == []
    assert (await ada.get(f"/api/files/upload/{upload['id']}")).json()["data"]["status"] == "cancelled"
    assert [path for path in (state.settings.storage_root / ".incoming").rglob("*") if path.is_file()] == []
    assert (await ada.head(location, headers=TUS)).status_code == 410
    assert (await put(ada, location, status="uploading"))["status"] == "cancelled"
    # The uploader of the pages ends it by the protocol and reports it. Either may come first, and both succeed.
    assert (await put(ada, location, status="cancelled"))["status"] == "cancelled"
    assert (await ada.delete(location, headers=TUS)).status_code == 204


@pytest.mark.long
async def test_cancelling_before_the_file_is_prepared_removes_it_and_its_job(ada: Browser, state: AppState) -> None:
    await send_all(ada, BODY)
    upload = await finished(ada, state)
    assert upload["file_slug"]
    await ada.delete(f"/api/files/upload/{upload['id']}")
    async with state.database.read() as session:
        assert (await session.scalars(select(File))).all() == []
        assert (await session.scalars(select(Job))).one().state == JobState.CANCELLED
    assert (await ada.get(f"/api/files/upload/{upload['id']}")).json()["data"]["status"] == "cancelled"


@one_database
async def test_an_upload_whose_file_is_ready_is_only_hidden(ada: Browser, state: AppState) -> None:
    await send_all(ada, BODY)
    upload = await finished(ada, state)
    async with state.database.write() as session:
        await session.execute(update(Upload).values(status=UploadStatus.COMPLETED))
    answer = await ada.delete(f"/api/files/upload/{upload['id']}")
    assert answer.json()["data"]["status"] == "completed"
    assert await listed(ada) == []
    async with state.database.read() as session:
        assert len((await session.scalars(select(File))).all()) == 1


@pytest.mark.long
async def test_an_expired_upload_fails_with_a_sentence_and_leaves_no_bytes(ada: Browser, state: AppState) -> None:
    location = await start(ada, 10)
    kept = await start(ada, 10)
    for each in (location, kept):
        await send(ada, each, 0, b"0123")
    async with state.database.write() as session:
        past = utc_now() - timedelta(seconds=1)
        expiring = update(TusUpload).where(TusUpload.id == location.rpartition("/")[2])
        await session.execute(expiring.values(expires_at=past))
    await sweep(tus_context(state), state.database)
    by_url = {upload["tus_url"]: upload for upload in await listed(ada)}
    assert (by_url[location]["status"], by_url[location]["error"]) == ("failed", EXPIRED)
    assert by_url[kept]["status"] == "uploading"
    assert await failures(state) == [(by_url[location]["slug"], by_url[location]["filename"], EXPIRED)]
    names = {path.name for path in (state.settings.storage_root / ".incoming").rglob("*") if path.is_file()}
    assert names == {kept.rpartition("/")[2]}
    assert (await ada.head(location, headers=TUS)).status_code == 410


@one_database
async def test_an_upload_without_traffic_is_incomplete_and_can_resume(ada: Browser, state: AppState) -> None:
    location = await start(ada, 10)
    async with state.database.write() as session:
        await session.execute(update(Upload).values(updated_at=utc_now() - QUIET_AFTER - timedelta(seconds=1)))
    await sweep(tus_context(state), state.database)
    assert (await listed(ada))[0]["status"] == "incomplete"
    assert (await send(ada, location, 0, BODY)).status_code == 204
    assert (await finished(ada, state))["status"] == "waiting"


def test_every_status_has_its_row_and_the_end_is_the_end() -> None:
    allowed = UPLOAD_STATUS.allowed
    assert set(allowed) == set(UploadStatus)
    assert not allowed[UploadStatus.COMPLETED]
    assert allowed[UploadStatus.CANCELLED] == {UploadStatus.WAITING}, "only a file that is started again leads back"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("C:\\Users\\me\\talk.mp4", "talk.mp4"),
        ("..", "noname"),
        ("", "noname"),
        ("a\x00b\n.mp4", "a b .mp4"),
        ("Ráðstefna 会議 עברית.mp4", "Ráðstefna 会議 עברית.mp4"),
        ("x" * 400 + ".mp4", "x" * 251 + ".mp4"),
    ],
)
def test_file_names_are_cleaned(sent: str, kept: str) -> None:
    assert clean_filename(sent) == kept
    assert clean_filename("", "image/png") == "image.png"
