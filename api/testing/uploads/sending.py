"""What a page does to upload: get a token, create the upload, send the bytes with its cookies."""

from __future__ import annotations

import base64

import httpx2

from api.content.uploads.tus.headers import VERSION
from api.platform.http.state import AppState
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.sentences import sentence_of
from api.testing.browser import Browser
from api.testing.events import events_of
from api.testing.uploads.memory import patch_headers

TUS = {"Tus-Resumable": VERSION}


def metadata(**values: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


async def upload_token(browser: Browser, **headers: str) -> str:
    answer = await browser.post("/api/files/upload/token", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["token"] == answer.json()["data"]["token"]
    return str(answer.json()["token"])


async def start(browser: Browser, length: int, *, filename: str = "talk.mp4", **values: str) -> str:
    """Create an upload; return its location."""
    token = await upload_token(browser)
    headers = {
        **TUS,
        "Authorization": f"Bearer {token}",
        "Upload-Length": str(length),
        "Upload-Metadata": metadata(filename=filename, **{"filetype": "video/mp4", **values}),
    }
    answer = await browser.post("/tus/", headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


async def send(browser: Browser, location: str, offset: int, body: bytes) -> httpx2.Response:
    return await browser.patch(location, headers=TUS | patch_headers(offset), content=body)


async def send_all(browser: Browser, body: bytes, **values: str) -> str:
    location = await start(browser, len(body), **values)
    assert (await send(browser, location, 0, body)).status_code == 204
    return location


async def failures(state: AppState) -> list[tuple[str, str, str]]:
    """Slug, name and reason of each failed upload that the user's pages hear about, oldest first."""
    found = []
    for data in await events_of(state):
        if (data["queue"], data["action"]) == (Topic.TUS, Action.FAILED):
            sentence = sentence_of(Topic.TUS, Action.FAILED, name=data["name"])
            assert data["message"].startswith(f"{sentence} ")
            found.append((data["slug"], data["name"], data["message"].removeprefix(f"{sentence} ")))
    return found
