"""Bring an installation back from a backup."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text
from sqlalchemy.engine import make_url

from api.platform.db.engine import Database
from api.platform.db.migrate import alembic_config, upgrade
from api.platform.operations.backup import postgres_programs
from api.platform.operations.backup.manifest import BackupFailed, BackupFolder, DatabaseForm, Manifest
from api.platform.settings import ApiSettings
from cluster.private_folder import close_to_others
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage

NOT_EMPTY = "This installation has accounts or files already. `--force` replaces everything in it with the backup."
OTHER_DATABASE = "The backup holds a {found} database, but SAGASCRIPT_DATABASE_URL names another kind. Change it."
NEWER = "The backup has schema {revision}, which this version does not know. Install the newer version first."
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Domains:
    """What the domains know about a database: whether anybody has an account, and how uploads end that were under way
    when the backup was made.
    """

    has_accounts: Callable[[Database], Awaitable[bool]]
    end_uploads: Callable[[Database], Awaitable[None]]


def read_backup(settings: ApiSettings, path: Path, domains: Domains, *, force: bool = False) -> Manifest:
    """Replace the installation's database, objects and secrets. Nothing of it may run. Raises `BackupFailed`.

    The database comes last: until then the installation is what it was, apart from additional objects.
    """
    folder = BackupFolder(path)
    manifest = folder.manifest()
    _require_same_kind(settings, manifest)
    _require_known(manifest.schema_revision)
    storage = open_storage(settings)
    url = make_url(settings.db_url)
    has_database = url.get_backend_name() != "sqlite" or Path(str(url.database)).exists()
    is_used = next(iter(storage.keys()), None) is not None or (
        has_database and asyncio.run(_on_database(settings, domains.has_accounts))
    )
    if is_used and not force:
        raise BackupFailed(NOT_EMPTY)
    restored = _put_objects(storage, folder, settings)
    _put_secrets(settings, folder)
    _put_database(settings, folder, manifest)
    asyncio.run(_finish(settings, domains))
    for key in set(storage.keys()) - restored:
        storage.delete(key)
    return manifest


def _require_same_kind(settings: ApiSettings, manifest: Manifest) -> None:
    is_sqlite = make_url(settings.db_url).get_backend_name() == "sqlite"
    if is_sqlite is not (manifest.database is DatabaseForm.SQLITE):
        raise BackupFailed(OTHER_DATABASE.format(found="PostgreSQL" if is_sqlite else "SQLite"))


def _require_known(revision: str) -> None:
    try:
        ScriptDirectory.from_config(alembic_config("sqlite://")).get_revision(revision)
    except CommandError:
        raise BackupFailed(NEWER.format(revision=revision)) from None


def _put_objects(storage: Storage, folder: BackupFolder, settings: ApiSettings) -> set[str]:
    """Store the backup's objects; return their keys."""
    settings.work_root.mkdir(parents=True, exist_ok=True)
    keys = {path.relative_to(folder.objects).as_posix() for path in folder.objects.rglob("*") if path.is_file()}
    for key in sorted(keys):
        # `put` moves the file, and the backup stays as it is.
        with tempfile.NamedTemporaryFile(dir=settings.work_root, prefix="restore-", delete=False) as copy:
            copy.close()
            shutil.copyfile(folder.objects / key, copy.name)
            storage.put(Path(copy.name), key)
    return keys


def _put_secrets(settings: ApiSettings, folder: BackupFolder) -> None:
    if not folder.secrets.is_file():
        return
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    close_to_others(settings.data_dir)
    draft = settings.data_dir / f"secrets.json.{os.getpid()}"
    draft.touch(mode=0o600)
    draft.write_bytes(folder.secrets.read_bytes())
    draft.replace(settings.data_dir / "secrets.json")


def _put_database(settings: ApiSettings, folder: BackupFolder, manifest: Manifest) -> None:
    source = folder.database(manifest.database)
    if manifest.database is DatabaseForm.POSTGRESQL:
        asyncio.run(_empty(settings))
        postgres_programs.load(settings.db_url, source)
        return
    target = Path(str(make_url(settings.db_url).database))
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.restored")
    draft.touch(mode=0o600)
    shutil.copyfile(source, draft)
    for companion in ("-wal", "-shm"):
        target.with_name(target.name + companion).unlink(missing_ok=True)
    draft.replace(target)


async def _empty(settings: ApiSettings) -> None:
    """Remove every table: those of a newer schema are not in the backup."""
    database = Database(settings.db_url)
    try:
        async with database.engine.begin() as connection:
            await connection.execute(text("DROP SCHEMA public CASCADE"))
            await connection.execute(text("CREATE SCHEMA public"))
    finally:
        await database.close()


async def _finish(settings: ApiSettings, domains: Domains) -> None:
    """Bring the schema up to date, and end the uploads that were under way: their bytes are in no backup."""
    await upgrade(settings.db_url)
    await _on_database(settings, domains.end_uploads)


async def _on_database(settings: ApiSettings, work: Callable[[Database], Awaitable[T]]) -> T:
    database = Database(settings.db_url)
    try:
        return await work(database)
    finally:
        await database.close()
