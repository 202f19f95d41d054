"""Serving files from strangers: saved under a harmless name, never as a page, in the requested ranges."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from api.content.files.models import File
from api.platform.http.downloads.names import attachment
from api.platform.http.state import AppState
from api.platform.http.stored import DOWNLOAD, POWERLESS
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file

BODY = bytes(range(256)) * 8
SIZE = len(BODY)
HOSTILE = (
    'a".html"; filename=evil.exe; x="',
    "a\r\nSet-Cookie: session=stolen\r\n\r\n<script>alert(1)</script>",
    "../../../etc/passwd",
    "..\\..\\boot.ini",
    "CON.mp4\x00.exe",
    "gnp\u202e4pm.exe",
    "👩‍🚀 þáttur 字幕.mp4",
    "%0d%0aX: y%22.html",
    "utf-8''x.html",
    "   ",
    '"""',
    "\ud800.mp4",
    "x" * 240 + ".mp4",
    "<img src=x onerror=alert(1)>.svg",
)


def saved_as(header: str) -> str:
    """The name that a mail parser, which implements the same grammar, reads from the header."""
    message = EmailMessage()
    message["Content-Disposition"] = "attachment; " + header.split("; ")[-1]
    return str(message.get_filename())


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_only_a_name(name: str) -> None:
    header = attachment(name)
    assert header.startswith('attachment; filename="')
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    assert header.count(";") - header.split('"')[1].count(";") == 2
    saved = saved_as(header)
    assert saved
    assert not set(saved) & set('/\\"\r\n\x00\u202e')


def test_a_name_keeps_its_letters() -> None:
    assert saved_as(attachment("fundur á þriðjudegi 字幕.mp4")) == "fundur á þriðjudegi 字幕.mp4"


async def _shown(state: AppState, file: File, **changes: object) -> str:
    """Make the original the playable file; return its address."""
    async with state.database.write() as session:
        row = await session.get(File, file.id)
        assert row is not None
        row.plays_in_browser = True
        for name, value in changes.items():
            setattr(row, name, value)
    return f"/api/files/{file.slug}/media"


async def test_a_page_named_as_a_film_stays_a_download(ada: Browser, state: AppState) -> None:
    page = b"<!doctype html><script>alert(1)</script>"
    for name in HOSTILE[:1] + HOSTILE[6:8] + HOSTILE[-1:]:
        file = await uploaded_file(state, ada.user_id, filename=name, content=page)
        answer = await ada.get(f"/api/files/{file.slug}/original")
        assert (answer.status_code, answer.content) == (200, page)
        assert answer.headers["content-type"] == DOWNLOAD
        assert answer.headers["content-disposition"] == attachment(name)
        for header, value in POWERLESS.items():
            assert answer.headers.get_list(header) == [value]


async def test_only_film_and_sound_are_displayed(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, content=b"<svg onload=alert(1)>")
    for mime in ("text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "x", "video/mp4\r\nA: b"):
        answer = await ada.get(await _shown(state, file, facts={"mime": mime}))
        assert answer.headers["content-type"] == DOWNLOAD
        assert answer.headers["content-disposition"] == "attachment"


RANGES = (
    ("bytes=0-0", 206, 0, 1),
    ("bytes=5-", 206, 5, SIZE),
    ("bytes=-5", 206, SIZE - 5, SIZE),
    ("bytes=-999999", 206, 0, SIZE),
    (f"bytes=0-{SIZE * 2}", 206, 0, SIZE),
    (f"bytes=0-{10**30}", 206, 0, SIZE),
    ("bytes= 1 - 2 ", 206, 1, 3),
    ("bytes=0-9,5-19", 206, 0, 20),
    (f"bytes={SIZE}-", 416, 0, 0),
    (f"bytes={10**30}-", 416, 0, 0),
    ("bytes=-0", 416, 0, 0),
    # What makes no sense is as if it had not been sent.
    ("bytes=9-5", 200, 0, SIZE),
    ("bytes=abc", 200, 0, SIZE),
    ("bytes=0-3,abc", 200, 0, SIZE),
    ("bytes=" + "9" * 5000 + "-", 200, 0, SIZE),
    ("bytes=", 200, 0, SIZE),
    ("lines=0-5", 200, 0, SIZE),
    ("bytes", 200, 0, SIZE),
    ("bytes=" + ",".join(f"{n * 2}-{n * 2}" for n in range(1000)), 200, 0, SIZE),
)
"""The requested range, the status, and the bytes received."""


async def test_ranges(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, content=BODY)
    url = await _shown(state, file, facts={"mime": "video/mp4"})
    for range_header, status, start, stop in RANGES:
        answer = await ada.get(url, headers={"Range": range_header})
        assert answer.status_code == status, range_header
        if status == 416:
            assert answer.headers["content-range"] == f"bytes */{SIZE}"
            continue
        assert answer.content == BODY[start:stop], range_header
        assert answer.headers["content-length"] == str(stop - start)
        assert answer.headers["content-type"] == "video/mp4"
        assert (answer.headers.get("content-range") == f"bytes {start}-{stop - 1}/{SIZE}") is (status == 206)


async def test_several_ranges_arrive_in_parts_each_once(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, content=BODY)
    url = await _shown(state, file, facts={"mime": "video/mp4"})
    answer = await ada.get(url, headers={"Range": "bytes=0-3,100-103"})
    assert answer.status_code == 206
    assert answer.headers["content-type"].startswith("multipart/byteranges; boundary=")
    assert answer.content.count(b"content-range: bytes") + answer.content.count(b"Content-Range: bytes") == 2
    assert BODY[0:4] in answer.content
    assert BODY[100:104] in answer.content
    # The same bytes asked for a hundred times are sent once.
    again = await ada.get(url, headers={"Range": "bytes=" + ",".join(["0-"] * 100)})
    assert len(again.content) == SIZE


async def test_a_part_of_another_version_is_not_sent(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, content=BODY)
    url = await _shown(state, file, facts={"mime": "video/mp4"})
    tag = (await ada.get(url)).headers["etag"]
    for condition, status in ((tag, 206), ('"other"', 200), (f"W/{tag}", 200), ("Thu, 01 Jan 1970 00:00:00 GMT", 200)):
        answer = await ada.get(url, headers={"Range": "bytes=0-9", "If-Range": condition})
        assert (answer.status_code, len(answer.content)) == (status, 10 if status == 206 else SIZE), condition
