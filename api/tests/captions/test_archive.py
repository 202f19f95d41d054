"""Captions of several files in one ZIP: what is in it, what it leaves out, and its names."""

from __future__ import annotations

import io
import json
import uuid
from typing import Any
from zipfile import ZipFile

import pytest

from api.content.captions.subtitle_files.archive import ARCHIVE_FILES_MAX, HAS_NONE, IS_TRANSCRIBED, NO_CAPTIONS, README
from api.content.files.models import File
from api.platform.http.downloads.names import NAME_BYTES, ArchiveNames, safe_name
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file
from api.testing.files.translated import translate
from api.testing.files.uploaded_file import uploaded_file

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def unpacked(browser: Browser, *files: File, **query: Any) -> dict[str, str]:
    ids = [str(file.id) for file in files]
    answer = await browser.get("/api/files/captions.zip", params={"ids": ids, **query})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip"
    assert "captions.zip" in answer.headers["Content-Disposition"]
    with ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_every_file_is_there_under_a_name_of_its_own(ada: Browser, state: AppState) -> None:
    first = await captioned_file(state, ada.user_id, filename="Þing: 1?2.mp4")
    same = await captioned_file(state, ada.user_id, "Something else.", filename="þing  1 2.mp4")
    device = await captioned_file(state, ada.user_id, filename="con.mp4")
    found = await unpacked(ada, first, same, device)
    assert list(found) == ["Þing 1 2.en-US.srt", "þing 1 2 (2).en-US.srt", "_con.en-US.srt"]
    assert all(sentence in found["Þing 1 2.en-US.srt"] for sentence in SENTENCES)
    assert "Something else." in found["þing 1 2 (2).en-US.srt"]


@SQLITE
async def test_what_has_no_captions_is_named_in_the_readme(ada: Browser, state: AppState) -> None:
    done = await captioned_file(state, ada.user_id)
    waiting = await uploaded_file(state, ada.user_id, filename="later.mp4")
    silent, job = await transcribing_file(state, ada.user_id, filename="silent.mp4")
    await finish(state, job, result())
    found = await unpacked(ada, waiting, done, silent, format="vtt")
    assert list(found) == ["talk.en-US.vtt", README]
    assert found["talk.en-US.vtt"].startswith("WEBVTT")
    assert f"later: {IS_TRANSCRIBED}." in found[README]
    assert f"silent: {HAS_NONE}." in found[README]
    nothing = await ada.get("/api/files/captions.zip", params={"ids": [str(waiting.id)]})
    assert (nothing.status_code, nothing.json()["message"]) == (422, NO_CAPTIONS)


@SQLITE
async def test_translations_come_along_when_asked_for(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    await translate(state, ada, file, "es")
    assert list(await unpacked(ada, file, format="json")) == ["talk.en-US.json"]
    found = await unpacked(ada, file, format="json", translations=True)
    assert list(found) == ["talk.en-US.json", "talk.es.json"]
    assert f"({SENTENCES[1]})" in found["talk.es.json"]
    assert json.loads(found["talk.en-US.json"])


@SQLITE
async def test_nobody_gets_files_of_others_nor_too_many(ada: Browser, bob: Browser, state: AppState) -> None:
    hers, his = await captioned_file(state, ada.user_id), await captioned_file(state, bob.user_id)
    for browser in (ada, bob):
        answer = await browser.get("/api/files/captions.zip", params={"ids": [str(hers.id), str(his.id)]})
        assert answer.status_code == 404
    many = [str(uuid.uuid4()) for _ in range(ARCHIVE_FILES_MAX + 1)]
    assert (await ada.get("/api/files/captions.zip", params={"ids": many})).status_code == 422
    assert (await ada.get("/api/files/captions.zip")).status_code == 422


def test_names_suit_every_system() -> None:
    assert safe_name(' a<b>:"c"/d\\e|f?g*\x00\u202eh. ') == "a b c d e f g h"
    assert [safe_name(name) for name in ("", "...", "aux", "LPT1.txt", "console")] == [
        *("file", "file", "_aux", "_LPT1.txt", "console")
    ]
    assert len(safe_name("語" * 500).encode()) <= NAME_BYTES
    assert safe_name("e\u0301") == "\u00e9"
    names = ArchiveNames()
    assert [names.unique(name, ".srt") for name in ("Talk", "talk", "TALK", "Talk (2)")] == [
        *("Talk.srt", "talk (2).srt", "TALK (3).srt", "Talk (2) (2).srt")
    ]
