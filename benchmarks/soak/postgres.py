"""A PostgreSQL server for one run that we can kill and restart on its data, with fsync on."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from api.testing.databases.postgres import postgres_bin
from cluster.ports import free_ports

DATABASE = "durability"
START_TRIES = 20


class PostgresServer:
    def __init__(self) -> None:
        programs = postgres_bin()
        if programs is None:
            raise RuntimeError("PostgreSQL is not installed: install it or leave out --database postgresql.")
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="sg-durability-pg-"))
        (self.port,) = free_ports(1)
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._data = self._folder / "data"
        self._run("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{DATABASE}"

    def create(self) -> None:
        """Start for the first time, with an empty database."""
        self.start()
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")

    def start(self) -> None:
        """Start the server, also while backends of a killed one still run: a new one refuses until they are gone."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        for again in range(START_TRIES):
            try:
                self._run("pg_ctl", "-l", str(self._folder / "log"), "-w", "-o", options, "start")
            except subprocess.CalledProcessError:
                if again == START_TRIES - 1:
                    raise
                time.sleep(1)
            else:
                return

    def kill(self) -> None:
        """Kill the postmaster and every backend at once, like a power failure."""
        try:
            pid = int((self._data / "postmaster.pid").read_text().split()[0])
        except (OSError, IndexError, ValueError):
            return
        children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
        for each in (pid, *map(int, children.stdout.split())):
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def remove(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "-w", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        # PostgreSQL refuses to run as root.
        before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run(
            [*before, str(self._programs / program), "-D", str(self._data), *arguments],
            check=check,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
