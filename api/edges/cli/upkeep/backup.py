"""`sagascript backup`: save the database, the stored objects and the secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import fail, out, sentences
from api.edges.cli.settings import settings_with


def backup(path: Annotated[Path, typer.Argument(help="Folder to write; it must not exist.")]) -> None:
    """Save the database, all files and the secrets into a folder. The installation may run meanwhile."""
    settings = settings_with()
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.failures import reason
    from api.platform.operations.backup.manifest import BackupFailed
    from api.platform.operations.backup.writing import write_backup
    from cluster.storage.objects import StorageUnavailable

    try:
        with sentences(BackupFailed, StorageUnavailable):
            manifest = write_backup(settings, path.resolve())
    except OSError as error:
        raise fail(f"The backup cannot be written to {path}: {error.strerror or error}.") from None
    except SQLAlchemyError as error:
        raise fail(f"The database cannot be read: {reason(error)}.") from None
    size = f"{manifest.object_bytes / 1e9:.2f} GB in {manifest.objects} objects"
    out.print(f"The backup is complete: {path} ({size}).", soft_wrap=True)
    if not manifest.has_secrets:
        out.print("The secrets come from settings, so they are not in it. Keep these settings too.", soft_wrap=True)
