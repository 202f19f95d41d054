"""A PostgreSQL server for tests, on a free port in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from cluster.testing.ports import free_port

BINARIES = (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),)


def postgres_bin() -> Path | None:
    found = shutil.which("initdb")
    return Path(found).parent if found else next(iter(BINARIES), None)


@contextmanager
def new_database(server: str, options: str = 'TEMPLATE "template1"') -> Iterator[str]:
    """The SQLAlchemy URL of a new database without a schema on `server`, dropped at the end."""
    name = f"t{uuid.uuid4().hex}"
    _execute(server, f'CREATE DATABASE "{name}" {options}')
    yield sqlalchemy_url(server, name)
    _execute(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def create_database(server: str, name: str, template: str = "template1") -> None:
    _execute(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


def sqlalchemy_url(server: str, name: str) -> str:
    return f"postgresql+psycopg{server.removeprefix('postgresql')}{name}"


def _execute(server: str, statement: str) -> None:
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


def _as_owner(command: list[str]) -> list[str]:
    # PostgreSQL refuses to run as root.
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[str]:
    """The URL of a server's maintenance database, without a database name at its end: `postgresql://.../`.

    `durable`: a commit waits until it is on the disk, as in production.
    """
    programs = postgres_bin()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed.")
    folder = Path(tempfile.mkdtemp(prefix="sg-pg-"))
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    data = folder / "data"
    port = free_port()
    try:
        initdb = [
            str(programs / "initdb"),
            "-D",
            str(data),
            "-U",
            "postgres",
            "--auth=trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(_as_owner(initdb), check=True, capture_output=True, cwd=folder)
        address = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        # Each test makes a database of its own and drops it: nothing need survive a crash, and none lives long.
        options = address if durable else f"{address} -c fsync=off -c full_page_writes=off -c autovacuum=off"
        start = [str(programs / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w", "-o", options, "start"]
        subprocess.run(_as_owner(start), check=True, stdout=subprocess.DEVNULL, cwd=folder)
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/"
        finally:
            stop = [str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop"]
            subprocess.run(_as_owner(stop), check=False, stdout=subprocess.DEVNULL, cwd=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
