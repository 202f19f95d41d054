"""A backup, taken while people work, brings a whole installation back elsewhere."""

from __future__ import annotations

import asyncio
import stat
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select
from sqlalchemy.engine import make_url

from api.app import create_app
from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.files.models import File
from api.content.uploads.sweep import INTERRUPTED
from api.edges.cli.upkeep.restore import bring_back
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.operations.backup.manifest import BackupFailed
from api.platform.operations.backup.writing import write_backup
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD, Browser
from api.testing.files.uploaded_file import uploaded_file

CONTENT = b"the bytes of a video"


@pytest.fixture
def elsewhere(settings: ApiSettings, tmp_path: Path) -> ApiSettings:
    """The settings of an empty installation with a database of the same kind."""
    url = make_url(settings.db_url)
    if url.get_backend_name() == "sqlite":
        other = url.set(database=str(tmp_path / "elsewhere" / "other.db"))
    else:
        other = url.set(database=f"t{uuid.uuid4().hex}")
        plain = url.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{other.database}"'.encode())
    return settings.model_copy(
        update={"data_dir": tmp_path / "elsewhere", "database_url": other.render_as_string(hide_password=False)}
    )


@asynccontextmanager
async def opened(settings: ApiSettings) -> AsyncIterator[tuple[Browser, AppState]]:
    app = create_app(settings)
    async with app.router.lifespan_context(app), Browser.open(app) as browser:
        yield browser, app.state.shared


async def under_way(database: Database, user_id: uuid.UUID) -> str:
    """An upload whose bytes have not all arrived."""
    async with database.write() as session:
        tus_id = uuid.uuid4().hex
        record = TusUpload(id=tus_id, user_id=user_id, length=100, offset=40)
        upload = Upload(user_id=user_id, filename="half.mp4", language="en-US", filesize=100, tus_id=tus_id)
        soon = select(File.created_at).where(File.user_id == user_id).limit(1)
        record.expires_at = (await session.scalars(soon)).one().replace(year=2100)
        session.add_all([record, upload])
    return tus_id


async def test_a_restored_installation_works(
    ada: Browser, state: AppState, settings: ApiSettings, elsewhere: ApiSettings, tmp_path: Path
) -> None:
    file = await uploaded_file(state, ada.user_id, content=CONTENT)
    tus_id = await under_way(state.database, ada.user_id)
    manifest = await asyncio.to_thread(write_backup, settings, tmp_path / "backup")
    assert (manifest.objects, manifest.object_bytes, manifest.has_secrets) == (1, len(CONTENT), True)
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "backup" / "secrets.json").stat().st_mode) == 0o600
    await ada.delete(f"/api/files/{file.slug}")

    await asyncio.to_thread(bring_back, elsewhere, tmp_path / "backup")
    assert stat.S_IMODE((elsewhere.data_dir / "secrets.json").stat().st_mode) == 0o600
    async with opened(elsewhere) as (browser, there):
        # The session cookie of before still counts, and so does the password.
        browser.cookies.update(ada.cookies)
        assert (await browser.get("/api/user")).json()["data"]["email"] == ada.user["email"]
        browser.cookies.clear()
        signed_in = await browser.post("/login", json={"email": ada.user["email"], "password": PASSWORD})
        assert signed_in.status_code == 200, signed_in.text
        shown = await browser.get(f"/api/files/{file.slug}")
        assert shown.status_code == 200
        assert b"".join(there.storage.read(file.original_key)) == CONTENT
        async with there.database.read() as session:
            upload = (await session.scalars(select(Upload).where(Upload.tus_id == tus_id))).one()
            assert (upload.status, upload.error) == (UploadStatus.FAILED, INTERRUPTED)


@pytest.mark.long
async def test_an_installation_in_use_is_replaced_only_by_force(
    ada: Browser, state: AppState, settings: ApiSettings, tmp_path: Path
) -> None:
    await uploaded_file(state, ada.user_id, content=CONTENT)
    await asyncio.to_thread(write_backup, settings, tmp_path / "backup")
    later = await uploaded_file(state, ada.user_id, content=b"made later")
    with pytest.raises(BackupFailed, match="--force"):
        await asyncio.to_thread(bring_back, settings, tmp_path / "backup")
    await state.database.close()
    await asyncio.to_thread(bring_back, settings, tmp_path / "backup", force=True)
    async with state.database.read() as session:
        assert (await session.scalars(select(File.id))).all() != []
        assert await session.get(File, later.id) is None
    assert not state.storage.exists(later.original_key)


@pytest.mark.long
async def test_a_backup_without_an_object_that_a_row_names_is_refused(
    ada: Browser, state: AppState, settings: ApiSettings, tmp_path: Path
) -> None:
    file = await uploaded_file(state, ada.user_id, content=CONTENT)
    state.storage.delete(file.original_key)
    with pytest.raises(BackupFailed, match=file.original_key):
        await asyncio.to_thread(write_backup, settings, tmp_path / "backup")
    assert [path for path in (tmp_path / "backup", tmp_path / "backup.partial") if path.exists()] == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_only_a_complete_backup_of_the_same_kind_is_restored(
    state: AppState, settings: ApiSettings, elsewhere: ApiSettings, tmp_path: Path
) -> None:
    await asyncio.to_thread(write_backup, settings, tmp_path / "backup")
    with pytest.raises(BackupFailed, match="exists already"):
        write_backup(settings, tmp_path / "backup")
    with pytest.raises(BackupFailed, match="no complete backup"):
        bring_back(elsewhere, tmp_path)
    other = elsewhere.model_copy(update={"database_url": "postgresql://localhost/none"})
    with pytest.raises(BackupFailed, match="SQLite database"):
        bring_back(other, tmp_path / "backup")
    manifest = tmp_path / "backup" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"schema_revision": "0', '"schema_revision": "9'))
    with pytest.raises(BackupFailed, match="newer version"):
        bring_back(elsewhere, tmp_path / "backup")
