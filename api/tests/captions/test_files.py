"""Subtitle files in and out: imports and downloads."""

from __future__ import annotations

import json

import pytest

from api.content.captions.subtitle_files import imports
from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import (
    SENTENCES,
    captioned_file,
)
from pipelines.captions.timestamps import format_time


async def import_file(page: Editor, raw: bytes, name: str = "captions.srt") -> dict[str, object]:
    answer = await page.browser.post(f"{page.path}/import", files={"file": (name, raw)})
    assert answer.status_code == 200, answer.text
    saved: dict[str, object] = answer.json()["data"]
    return saved


BROKEN = (
    "Titill\r\n\r\n7\r\n0:0:1.5 -> 0:0:3,25\r\nÞað er þoka\r\n00:00:04,000 --> 00:00:03,000\r\n"
    "Brún --> fjall\r\n1984\r\n\r\n00:00:06,000 -->\r\nog á"
)


@pytest.mark.usefixtures("own_import_process")
async def test_import_of_a_broken_file_loses_no_text_and_can_be_undone(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, language="is-IS")
    page = await Editor(ada, file.slug).look()
    before = page.lines
    saved = await import_file(page, BROKEN.encode("cp1252"))
    assert (saved["revision"], saved["can_undo"]) == (1, True)
    assert (await page.look()).texts == ["Titill", "Það er þoka", "Brún --> fjall\n1984", "og á"]
    assert all(a["end_ms"] <= b["start_ms"] for a, b in zip(page.lines, page.lines[1:], strict=False))
    await page.save("Undo")
    assert [{**line, "revision": 0} for line in page.lines] == before
    await page.save("Redo")
    assert page.texts == ["Titill", "Það er þoka", "Brún --> fjall\n1984", "og á"]


async def test_importing_a_download_changes_only_what_was_edited(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    text = (await ada.get(f"{page.path}/download?format=srt")).text
    assert (await import_file(page, text.encode()))["changed"] == []
    before = page.lines
    saved = await import_file(page, text.replace("closed", "open").encode())
    assert saved["revision"] == 1
    await page.look()
    assert page.lines[1:] == before[1:]
    assert [word["start_ms"] for word in page.lines[0]["words"]] == [word["start_ms"] for word in before[0]["words"]]


async def test_webvtt_can_be_imported_too(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    await import_file(
        page, b"\xef\xbb\xbfWEBVTT\n\nNOTE no\n\n00:01.000 --> 00:02.000\n<v Ada>a &lt; b\n", "captions.vtt"
    )
    assert (await page.look()).texts == ["a < b"]
    assert page.lines[0]["speaker"] == "S1"
    assert await speaker_names(ada, file) == ["Ada"]
    await page.save("Undo")
    assert await speaker_names(ada, file) == []


async def speaker_names(browser: Browser, file: File) -> list[str]:
    answer = await browser.get(f"/api/files/speakers/{file.slug}")
    return [speaker["name"] for speaker in answer.json()["data"]["speakers"]]


ASS = """[Script Info]
PlayResX: 100
PlayResY: 100
[Events]
Format: Start, End, Name, Text
Dialogue: 0:00:01.00,0:00:02.90,Ada,{\\an8}The harbour is {\\i1}closed{\\i0} today.
Dialogue: 0:00:20.00,0:00:22.00,Bob,{\\pos(25,50)}New
"""


@pytest.mark.long
async def test_look_and_speakers_survive_every_form_that_holds_them(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    before = page.lines
    saved = await import_file(page, ASS.encode(), "talk.ass")
    assert saved["notes"] == []
    first, second = (await page.look()).lines
    assert (first["place"], second["place"]) == ({"align": 8, "x": None, "y": None}, {"align": 2, "x": 0.25, "y": 0.5})
    styled = [word["text"] for word in first["words"] if word.get("styles") == ["italic"]]
    assert styled == ["closed"]
    # The line that was there keeps the times of its words.
    assert [word["start_ms"] for word in first["words"]] == [word["start_ms"] for word in before[0]["words"]]
    assert await speaker_names(ada, file) == ["Ada", "Bob"]
    for form in ("srt", "vtt", "ass", "ttml", "stl", "json", "sbv"):
        path = f"{page.path}/download"
        content = (
            await ada.get(path, params={"format": form, "speakers": "none" if form == "srt" else "labels"})
        ).content
        if form in ("sbv", "stl"):
            # These have no field for speakers.
            content = (await ada.get(path, params={"format": form})).content
        again = await import_file(page, content, f"talk.{form}")
        assert form == "stl" or again["changed"] == [], form
        assert (await page.look()).lines[0]["words"][0]["start_ms"] == before[0]["start_ms"], form


async def test_what_a_download_cannot_hold_is_said(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    await import_file(page, ASS.encode(), "talk.ass")
    path = f"{page.path}/download/notes"
    assert (await ada.get(path, params={"format": "sbv"})).json()["data"] == [
        "1 caption has italics, bold or underlining, which YouTube cannot hold.",
        "2 captions have a place on the picture, which YouTube cannot hold.",
    ]
    assert (await ada.get(path, params={"format": "stl", "fps": 30})).json()["data"][0].endswith("30 a second.")
    assert (await ada.get(path, params={"format": "json"})).json()["data"] == []


NO_SUBTITLES = [
    (b"", imports.EMPTY_IMPORT),
    (b"Just a letter, no times.", "This text is not what is spoken here: 0 of its 5 words were heard."),
    (b"\xff\xfe\x00", "This text"),
    (b"x" * (imports.IMPORT_MAX_BYTES + 1), imports.TOO_LARGE),
]


@pytest.mark.long
@pytest.mark.usefixtures("own_import_process")
async def test_large_captions_go_in_and_come_out_compressed(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    text = ("harbour " * 115).strip()
    spans = [(format_time(start), format_time(start + 3_000)) for start in range(0, 200 * 4_000, 4_000)]
    raw = "\n".join(f"{n}\n{start} --> {end}\n{text}\n" for n, (start, end) in enumerate(spans, 1))
    # Our own JSON, with the time of each word, is this large.
    raw += f"{' ' * 99}\n" * 50_000
    assert len(raw) > 5_000_000
    answer = await ada.post(f"/api/files/captions/{file.slug}/import", files={"file": ("a.srt", raw.encode())})
    assert answer.status_code == 200, answer.text
    path = f"/api/files/captions/{file.slug}"
    small, plain = [await ada.get(path, headers={"Accept-Encoding": encoding}) for encoding in ("gzip", "identity")]
    assert (small.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert int(small.headers["content-length"]) * 5 < int(plain.headers["content-length"])
    assert small.json() == plain.json()
    assert len(plain.json()["data"]["lines"]) == 200


ROLLS_UP = (
    "Scenarist_SCC V1.0\n\n00:00:01:00\t9425 9425 94ad 94ad 9470 9470 4f4e 4580\n\n"
    "00:00:03:00\t94ad 94ad 5457 4f80\n\n00:00:05:00\t942c 942c\n"
)


@pytest.mark.long
@pytest.mark.usefixtures("own_import_process")
async def test_rows_that_roll_up_are_read_once_or_as_on_the_screen(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    saved = await import_file(page, ROLLS_UP.encode(), "live.scc")
    assert (await page.look()).texts == ["ONE", "TWO"]
    assert "Each row became a caption" in str(saved["notes"])
    answer = await ada.post(
        f"{page.path}/import", params={"roll_up": "screen"}, files={"file": ("live.scc", ROLLS_UP.encode())}
    )
    assert (await page.look()).texts == ["ONE", "ONE\nTWO"]
    assert "are repeated in the captions after them" in answer.text
    refused = await ada.post(f"{page.path}/import", params={"roll_up": "twice"}, files={"file": ("a.scc", b"x")})
    assert refused.status_code == 422


@pytest.mark.long
@pytest.mark.usefixtures("own_import_process")
async def test_other_files_are_refused(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    for raw, sentence in NO_SUBTITLES:
        answer = await ada.post(f"/api/files/captions/{file.slug}/import", files={"file": ("a.srt", raw)})
        assert (answer.status_code, answer.json()["status"]) == (422, "Failed")
        assert sentence in answer.json()["message"]
    assert (await Editor(ada, file.slug).look()).texts == list(SENTENCES)


async def test_downloads_in_each_form_with_a_safe_name(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, filename='fundur "þriðji".mp4')
    path = f"/api/files/captions/{file.id}/download"
    srt = await ada.get(path)
    assert srt.text == (await Editor(ada, file.slug).look()).data["subtitle"]
    assert srt.headers["content-type"] == "application/x-subrip; charset=utf-8"
    name = srt.headers["content-disposition"]
    assert name.startswith('attachment; filename="fundur ')
    assert name.endswith("filename*=UTF-8''fundur%20%C3%BEri%C3%B0ji.en-US.srt")
    vtt = await ada.get(path, params={"format": "vtt"})
    assert vtt.text.startswith("WEBVTT\nLanguage: en-US\n\n00:00:01.000 --> 00:00:02.900\n")
    assert vtt.headers["content-type"].startswith("text/vtt")
    txt = await ada.get(path, params={"format": "txt"})
    assert txt.text == "\n\n".join(SENTENCES) + "\n"
    whole = json.loads((await ada.get(path, params={"format": "json"})).text)
    assert [line["text"] for line in whole["lines"]] == list(SENTENCES)
    assert whole["lines"][0]["words"][0]["confidence"] == 0.9
    assert (await ada.get(path, params={"format": "docx"})).content[:2] == b"PK"
    assert (await ada.get(path, params={"format": "mpl2"})).status_code == 422
