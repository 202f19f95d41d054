"""Make a backup of an installation, running or not.

The database is read first, as of one moment. Objects never change under their key, so copies made later are those of
that moment. An object that was deleted meanwhile makes us read the database again.
"""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import structlog
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from api.platform.operations.backup import postgres_programs
from api.platform.operations.backup.manifest import BackupFailed, BackupFolder, DatabaseForm, Manifest, now
from api.platform.operations.backup.stored_keys import referenced_keys
from api.platform.settings import ApiSettings
from cluster.private_folder import make_private
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage

log = structlog.get_logger(__name__)

ROUNDS = 5
"""How often we read the database again because objects were deleted meanwhile."""

GONE = (
    "Objects that rows refer to are missing in storage, such as {key}. The backup was not made. Delete the files that "
    "they belong to, or get the objects back."
)
NOT_EMPTY = "{path} exists already. Name a folder that does not."


def write_backup(settings: ApiSettings, path: Path) -> Manifest:
    """Write a backup to `path`, a folder that appears only once it is complete. Raises `BackupFailed`."""
    if path.exists():
        raise BackupFailed(NOT_EMPTY.format(path=path))
    draft = path.with_name(f"{path.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    folder = BackupFolder(make_private(draft))
    try:
        manifest = _fill(settings, folder)
        folder.write(manifest)
        draft.rename(path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _fill(settings: ApiSettings, folder: BackupFolder) -> Manifest:
    storage = open_storage(settings)
    form = DatabaseForm.SQLITE if make_url(settings.db_url).get_backend_name() == "sqlite" else DatabaseForm.POSTGRESQL
    for _ in range(ROUNDS):
        revision, keys = _read_database(settings.db_url, form, folder.database(form))
        _copy(storage, folder.objects, [*keys, *storage.keys()])
        missing = [key for key in sorted(keys) if not (folder.objects / key).is_file()]
        if not missing:
            break
        log.info("backup.read_again", missing=len(missing))
    else:
        raise BackupFailed(GONE.format(key=missing[0]))
    copied = [each for each in folder.objects.rglob("*") if each.is_file()]
    secrets = settings.data_dir / "secrets.json"
    if secrets.is_file():
        folder.secrets.touch(mode=0o600)
        folder.secrets.write_bytes(secrets.read_bytes())
    return Manifest(
        made_at=now(),
        database=form,
        schema_revision=revision,
        objects=len(copied),
        object_bytes=sum(each.stat().st_size for each in copied),
        has_secrets=secrets.is_file(),
    )


def _read_database(url: str, form: DatabaseForm, target: Path) -> tuple[str, set[str]]:
    """Write the database to `target`; return its schema and the keys of objects in it."""
    target.unlink(missing_ok=True)
    if form is DatabaseForm.POSTGRESQL:
        engine = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"), isolation_level="REPEATABLE READ", poolclass=NullPool
        )
        with engine.connect() as connection:
            snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
            postgres_programs.dump(url, target, snapshot=str(snapshot))
            return _look(connection)
    source_path = Path(str(make_url(url).database))
    if not source_path.is_file():
        raise BackupFailed(f"There is no database at {source_path}. Nothing was saved.")
    target.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
    with closing(sqlite3.connect(source_path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # The copy has no companion files, so that it is one file.
        copy.execute("PRAGMA journal_mode=DELETE")
    engine = create_engine(f"sqlite:///{target}", poolclass=NullPool)
    with engine.connect() as connection:
        return _look(connection)


def _look(connection: Connection) -> tuple[str, set[str]]:
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    return str(revision), referenced_keys(connection)


def _copy(storage: Storage, folder: Path, keys: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    for key in dict.fromkeys(keys):
        target = folder / key
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with storage.local_copy(key, folder) as source:
                shutil.copyfile(source, target)
        except FileNotFoundError:
            # Deleted since we listed it. If a row still names it, the caller notices.
            target.unlink(missing_ok=True)
