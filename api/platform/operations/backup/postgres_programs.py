"""PostgreSQL's own programs for dumps. Passwords reach them by the environment alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy.engine import URL, make_url

from api.platform.operations.backup.manifest import BackupFailed

MISSING = "{name} is not installed. Install PostgreSQL's client programs (Debian: postgresql-client) and try again."
LINES_OF_ERROR = 3


def dump(url: str, target: Path, *, snapshot: str) -> None:
    """Dump the database at `url` as of an exported `snapshot`."""
    _run(
        "pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={target}"
    )


def load(url: str, source: Path) -> None:
    """Load a dump into the empty database at `url`, all or nothing."""
    options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run("pg_restore", url, *options, str(source))


def _run(name: str, url: str, *options: str) -> None:
    program = shutil.which(name)
    if program is None:
        raise BackupFailed(MISSING.format(name=name))
    parsed = make_url(url)
    environment = {**os.environ, "PGCONNECT_TIMEOUT": "10"}
    if parsed.password is not None:
        environment["PGPASSWORD"] = str(parsed.password)
    command = [program, f"--dbname={_without_password(parsed)}", *options]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        reason = " ".join(result.stderr.strip().splitlines()[-LINES_OF_ERROR:])
        raise BackupFailed(f"{name} failed: {reason}")


def _without_password(url: URL) -> str:
    plain = url.set(drivername="postgresql", password=None)
    return plain.render_as_string(hide_password=False)
