"""Text and addresses that no column, file or header can hold get a sentence, never a 500."""

from __future__ import annotations

import json
import uuid

import pytest

from api.content.arrivals.models import Upload, UploadStatus
from api.content.uploads import service
from api.people.auth.csrf import XSRF_HEADER
from api.platform.http.errors import CSRF_MISMATCH, NOT_STORABLE
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser
from api.testing.files.uploaded_file import uploaded_file

NUL, HALF_PAIR = "a\0b", "a\ud800b"


async def send(browser: Browser, method: str, path: str, body: object) -> int:
    """The status of a call with ASCII JSON and escapes, because UTF-8 cannot hold half a surrogate pair."""
    content = json.dumps(body).encode("ascii")
    answer = await browser.request(method, path, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code < 400 or answer.json()["message"]
    return answer.status_code


@pytest.mark.parametrize("text", [NUL, HALF_PAIR, "\x1b]0;title\x07"])
async def test_control_characters_in_bodies_cause_no_server_error(ada: Browser, state: AppState, text: str) -> None:
    file = await uploaded_file(state, ada.user_id)
    registration = {"name": text, "email": "q@example.com", "password": PASSWORD, "password_confirmation": PASSWORD}
    assert await send(ada, "POST", "/login", {"email": text, "password": text}) == 422
    assert await send(ada, "POST", "/register", registration | {"email": text}) == 422
    assert await send(ada, "PUT", f"/api/files/{file.slug}", {"name": text, "language": "en-US"}) == 200
    assert await send(ada, "PUT", f"/api/files/{file.slug}", {"language": text}) == 422
    assert await send(ada, "POST", "/api/files/upload", {"tus_url": text}) in (404, 422)
    assert await send(ada, "POST", f"/api/video/export/{file.slug}", {"language": text}) in (409, 422)
    assert await send(ada, "POST", "/register", registration) in (201, 422)


async def test_a_renamed_file_keeps_no_control_or_direction_character(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    answer = await ada.put(f"/api/files/{file.slug}", json={"name": " Vi\u0301deo\0\r\x1b[31m \u202efdp.exe "})
    assert answer.json()["data"]["name"] == "Vídeo   [31m  fdp.exe"
    assert (await ada.put(f"/api/files/{file.slug}", json={"name": "\0\u202e"})).json()["errors"] == {
        "name": ["The name is required."]
    }


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    [
        "/%00",
        "/api/files/%00",
        "/api/files/captions/%00",
        "/api/files/upload/%00",
        "/api/files/uploads/%00",
        "/api/video/exports/%00",
        "/api/files/transcriptions/search/abc%00",
        "/api/files/x%1b%5b31m",
        f"/{'x' * 300}",
        f"/{'x/' * 3000}y",
        f"/api/files/{'x' * 300}",
        "/%ff%fe",
        "/assets/%2e%2e/%00",
    ],
)
async def test_an_unknown_path_is_not_found(ada: Browser, path: str) -> None:
    answer = await ada.get(path)
    assert answer.status_code == 404
    assert answer.json()["message"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_value_that_a_schema_misses_is_refused(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await uploaded_file(state, ada.user_id)
    tus_id = uuid.uuid4().hex + "0" * 8
    async with state.database.write() as session:
        upload = await session.get_one(Upload, file.upload_id)
        upload.tus_id, upload.status = tus_id, UploadStatus.UPLOADING
    # The seeded fault: this text is stored unchanged.
    monkeypatch.setattr(service, "clean_filename", lambda name, _type: name)
    answer = await ada.post("/api/files/upload", json={"tus_url": f"/tus/{tus_id}", "filename": NUL})
    assert (answer.status_code, answer.json()["message"]) == (422, NOT_STORABLE)


@pytest.mark.long
@pytest.mark.parametrize("header", [b"a.\xe9", b"a.%C3%A9", b"\xff", b"a.%ED%A0%80"])
async def test_any_letter_in_the_anti_forgery_header_is_a_mismatch(ada: Browser, header: bytes) -> None:
    answer = await ada.post("/api/user/logout", headers=[(XSRF_HEADER.encode(), header)])
    assert answer.status_code == CSRF_MISMATCH
