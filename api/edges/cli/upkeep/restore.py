"""`sagascript restore`: bring an installation back from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import fail, out, sentences
from api.edges.cli.settings import settings_with
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from api.platform.operations.backup.manifest import Manifest


def restore(
    path: Annotated[Path, typer.Argument(help="Folder that `sagascript backup` wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what this installation has.")] = False,
) -> None:
    """Bring database, files and secrets back from a backup. Stop all processes of the installation first."""
    settings = settings_with()
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.failures import reason
    from api.platform.operations.backup.manifest import BackupFailed
    from cluster.storage.objects import StorageUnavailable
    from cluster.supervisor.folder import CannotStart, claim

    try:
        with sentences(BackupFailed, StorageUnavailable, CannotStart), claim(settings.data_dir.resolve()):
            manifest = bring_back(settings, path.resolve(), force=force)
    except OSError as error:
        raise fail(f"The backup cannot be restored: {error.strerror or error}.") from None
    except SQLAlchemyError as error:
        raise fail(f"The database cannot be restored: {reason(error)}.") from None
    made = f"{manifest.made_at:%Y-%m-%d %H:%M} UTC"
    start = "`sagascript up`" if settings.database_url is None else "the processes of this installation again"
    out.print(f"Restored the backup of {made} with {manifest.objects} objects. Start {start}.", soft_wrap=True)


def bring_back(settings: ApiSettings, path: Path, *, force: bool = False) -> Manifest:
    """Replace what the installation has with the backup in this folder."""
    from api.content.uploads.sweep import end_interrupted
    from api.people.users.queries import has_accounts
    from api.platform.operations.backup.reading import Domains, read_backup

    return read_backup(settings, path, Domains(has_accounts, end_interrupted), force=force)
