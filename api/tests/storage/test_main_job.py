"""The main job with everything in a bucket, which is away for a while in the middle of it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import pytest

from api.content.files.models import FileStatus
from api.platform.jobs.states import ErrorCode
from api.testing.browser import Browser
from api.testing.files.spoken_video import make_video, text_of
from api.testing.processes.product import running_product
from api.testing.uploads.sending import send_all
from cluster.testing.patience import PATIENCE_S
from cluster.testing.s3_server import running_s3
from serve.testing.tiny_models.archives import WHISPER, unpack

CLIPS = ["en1-rms", "en4-slt"]

pytestmark = pytest.mark.long


async def until(what: str, found: Callable[[], Any]) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            seen = found()
            seen = await seen if asyncio.iscoroutine(seen) else seen
            if seen:
                return seen
            await asyncio.sleep(0.25)
    raise AssertionError(what)


async def test_upload_to_download_over_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("flite") is None:
        pytest.skip("flite is not installed, so nothing was spoken.")
    model = unpack(WHISPER, tmp_path)
    video = make_video(tmp_path / "spoken.mp4", CLIPS)
    database = tmp_path / "shared.db"
    with running_s3(monkeypatch) as s3:
        for name, value in s3.settings().items():
            monkeypatch.setenv(name, value)
        product = running_product(tmp_path / "data", whisper_model=str(model), database_url=f"sqlite:///{database}")
        with product as running:
            async with Browser(base_url=running.url, trust_env=False, timeout=PATIENCE_S) as ada:
                await ada.register("ada")
                await send_all(ada, video.read_bytes(), language="en-US")
                s3.stop()

                def has_waited() -> bool:
                    with sqlite3.connect(database) as opened:
                        codes = opened.execute("SELECT error_code FROM jobs").fetchall()
                    return (ErrorCode.STORAGE_AWAY,) in codes

                await until("A job that waits for storage.", has_waited)
                s3.start()

                async def completed_file() -> Any:
                    (file,) = (await ada.get("/api/files")).json()["data"]
                    assert file["status"] not in (FileStatus.FAILED, FileStatus.ABANDONED), file
                    return file if file["status"] == FileStatus.COMPLETED else None

                slug = (await until("A completed file.", completed_file))["slug"]
                await check_downloads(ada, slug, video.read_bytes())
                captions = (await ada.get(f"/api/files/captions/{slug}/download?format=txt")).text
                assert captions.split() == " ".join(text_of(clip) for clip in CLIPS).split()
                await check_export(ada, slug, tmp_path)
                assert not [path for path in (tmp_path / "data" / "work").rglob("*") if path.is_file()]
                assert not (tmp_path / "data" / "objects").exists()
                assert (await ada.delete(f"/api/files/{slug}")).status_code == 204
                assert (await ada.delete("/api/files/bin")).status_code == 200
                await until("An empty bucket.", lambda: s3.keys() == [])
                assert s3.multiparts() == []


async def check_downloads(ada: Browser, slug: str, original: bytes) -> None:
    whole = await ada.get(f"/api/files/{slug}/original")
    assert whole.content == original
    assert whole.headers["Content-Disposition"].startswith('attachment; filename="talk.mp4"')
    part = await ada.get(f"/api/files/{slug}/media", headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, original[100:200])
    assert part.headers["Content-Range"] == f"bytes 100-199/{len(original)}"
    assert (await ada.get(f"/api/files/{slug}/peaks")).json()


async def check_export(ada: Browser, slug: str, folder: Path) -> None:
    answer = await ada.post(f"/api/video/export/{slug}", json={"language": "en-US", "mode": "soft"})
    assert answer.status_code == 201, answer.text
    address = f"/api/video/exports/{slug}/{answer.json()['data']['id']}/download"

    async def made() -> bytes | None:
        download = await ada.get(address)
        return download.content if download.status_code == 200 else None

    path = folder / "exported.mp4"
    path.write_bytes(await until("An export.", made))
    with av.open(str(path)) as exported:
        assert [stream.type for stream in exported.streams] == ["video", "audio", "subtitle"]
