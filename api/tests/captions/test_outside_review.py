"""Captions that somebody corrected outside come back as proposals; nothing changes by itself."""

from __future__ import annotations

import pytest

from api.content.captions.subtitle_files import imports
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file


@pytest.mark.parametrize("form", ["csv", "docx", "txt"])
async def test_a_download_comes_back_with_its_corrections(ada: Browser, state: AppState, form: str) -> None:
    file = await captioned_file(state, ada.user_id, "The harbour is closed.", "Nobody knows.")
    path = f"/api/files/captions/{file.slug}"
    before = (await ada.get(path)).json()["data"]
    raw = (await ada.get(f"{path}/download", params={"format": form})).content
    answer = await ada.post(f"{path}/outside-review", files={"file": (f"talk.{form}", raw)})
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {"proposals": [], "unplaced": []}
    if form != "docx":
        corrected = raw.replace(b"Nobody knows", b"Somebody knows")
        answer = await ada.post(f"{path}/outside-review", files={"file": (f"talk.{form}", corrected)})
        (proposal,) = answer.json()["data"]["proposals"]
        line = before["lines"][1]
        assert (proposal["line"], proposal["start_ms"]) == (line["id"], line["start_ms"])
        assert (proposal["text"], proposal["proposed"]) == ("Nobody knows.", "Somebody knows.")
    assert (await ada.get(path)).json()["data"]["revision"] == before["revision"]


@pytest.mark.long
async def test_what_cannot_be_compared_and_who_may_not(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/captions/{file.slug}/outside-review"
    empty = await ada.post(path, files={"file": ("a.txt", b"")})
    assert (empty.status_code, empty.json()["message"]) == (
        422,
        "This file holds no text, so there is nothing to compare.",
    )
    large = await ada.post(path, files={"file": ("a.txt", b"x" * (imports.IMPORT_MAX_BYTES + 1))})
    assert (large.status_code, large.json()["message"]) == (422, str(imports.TOO_LARGE))
    assert (await bob.post(path, files={"file": ("a.txt", b"mine")})).status_code == 404
