"""Downloads of objects in a bucket: passed on in ranges, or by a link where browsers reach storage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from api.app import create_app
from api.content.files.models import File
from api.platform.http.state import AppState
from api.platform.http.stored import NoSuchRange, byte_range
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.databases.migrated import make_sqlite
from api.testing.files.uploaded_file import uploaded_file
from cluster.testing.patience import PATIENCE_S
from cluster.testing.s3_server import BUCKET, S3Server, running_s3

CONTENT = bytes(range(256)) * 40
KEY = "uploads/a/original"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with running_s3(monkeypatch) as server:
        server.client.put_object(Bucket=BUCKET, Key=KEY, Body=CONTENT)
        yield server


@pytest.fixture(params=[False, True], ids=["passed on", "by link"])
def by_link(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
async def app(s3: S3Server, by_link: bool, tmp_path: Path) -> AsyncIterator[FastAPI]:
    settings = ApiSettings(
        data_dir=tmp_path / "data",
        ui_dir=tmp_path / "ui",
        storage_url=f"s3://{BUCKET}",
        storage_endpoint=s3.url,
        storage_public_endpoint=s3.url if by_link else None,
    )
    make_sqlite(settings.db_url)
    made = create_app(settings)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def slug(ada: Browser, state: AppState) -> str:
    """A file whose bytes are in the bucket and play in a browser."""
    file = await uploaded_file(state, ada.user_id)
    values = {"original_key": KEY, "peaks_key": KEY, "plays_in_browser": True, "facts": {"mime": "video/mp4"}}
    async with state.database.write() as session:
        await session.execute(update(File).values(**values))
    return file.slug


async def fetch(browser: Browser, url: str, **headers: str) -> httpx2.Response:
    """As a browser does: a way to elsewhere is followed without this site's cookies."""
    answer = await browser.get(url, headers=headers)
    if answer.status_code != 302:
        return answer
    assert answer.headers["Cache-Control"] == "no-store"
    async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_S) as outside:
        return await outside.get(answer.headers["Location"], headers=headers)


async def test_a_player_gets_the_ranges_it_asks_for(ada: Browser, slug: str, s3: S3Server, by_link: bool) -> None:
    media = f"/api/files/{slug}/media"
    whole = await fetch(ada, media)
    assert (whole.status_code, whole.content, whole.headers["Content-Type"]) == (200, CONTENT, "video/mp4")
    for range_header, part in (("bytes=0-0", CONTENT[:1]), ("bytes=5000-", CONTENT[5000:]), ("bytes=-7", CONTENT[-7:])):
        answer = await fetch(ada, media, Range=range_header)
        assert (answer.status_code, answer.content) == (206, part)
        assert answer.headers["Content-Range"].endswith(f"/{len(CONTENT)}")
    assert (await fetch(ada, media, Range="bytes=99999-")).status_code == 416
    direct = await ada.get(media)
    assert direct.status_code == (302 if by_link else 200)
    place = urlsplit(s3.url).netloc
    assert (f"media-src 'self' blob: http://{place}" in direct.headers["Content-Security-Policy"]) == by_link


@pytest.mark.long
async def test_a_download_keeps_its_name(ada: Browser, slug: str) -> None:
    answer = await fetch(ada, f"/api/files/{slug}/original")
    assert answer.content == CONTENT
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert "filename*=UTF-8''" in answer.headers["Content-Disposition"]


async def test_what_pages_read_themselves_comes_from_here(ada: Browser, slug: str) -> None:
    answer = await ada.get(f"/api/files/{slug}/peaks")
    assert (answer.status_code, answer.content) == (200, CONTENT)
    again = await ada.get(f"/api/files/{slug}/peaks", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.long
async def test_an_object_that_is_missing_and_a_service_that_is_away(ada: Browser, slug: str, s3: S3Server) -> None:
    s3.stop()
    away = await ada.get(f"/api/files/{slug}/media")
    assert (away.status_code, away.headers["Retry-After"]) == (503, "5")
    s3.start()
    s3.client.delete_object(Bucket=BUCKET, Key=KEY)
    assert (await ada.get(f"/api/files/{slug}/media")).status_code == 404


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("bytes=0-", (0, 100)),
        ("bytes=0-9", (0, 10)),
        ("bytes=90-500", (90, 100)),
        ("bytes=-10", (90, 100)),
        ("bytes=-500", (0, 100)),
        ("bytes=-", None),
        ("bytes=9-5", None),
        ("bytes=0-1,5-6", None),
        ("items=0-1", None),
    ],
)
def test_one_range_is_read_and_any_other_gets_the_whole(header: str | None, expected: tuple[int, int] | None) -> None:
    assert byte_range(header, 100) == expected


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_a_range_behind_the_end_is_none(header: str) -> None:
    with pytest.raises(NoSuchRange):
        byte_range(header, 100)
