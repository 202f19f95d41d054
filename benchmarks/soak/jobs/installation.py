"""An installation for one run: a database, a Ray head, and dispatchers that are restarted when they die."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

import api.tables  # noqa: F401
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.settings import ApiSettings
from api.testing.databases.database_kind import DatabaseKind
from api.testing.databases.postgres import running_postgres
from api.testing.jobs.installation import Head

PROJECT = Path(__file__).parents[3]
NOBODY = "http://127.0.0.1:9"
"""No relay answers here: events stay in the outbox, where we can count them."""


@dataclass
class Installation:
    settings: ApiSettings
    database: Database
    head: Head
    dispatchers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    def start_dispatcher(self) -> None:
        env = {
            **os.environ,
            "SAGASCRIPT_DATA_DIR": str(self.settings.data_dir),
            "SAGASCRIPT_DATABASE_URL": self.settings.db_url,
            "SAGASCRIPT_REALTIME_URL": NOBODY,
        }
        with self.log.open("ab") as log:
            program = [sys.executable, "-m", "benchmarks.soak.jobs.dispatch"]
            self.dispatchers.append(subprocess.Popen(program, cwd=PROJECT, env=env, stdout=log, stderr=log))
        self.started += 1

    @property
    def log(self) -> Path:
        return self.settings.data_dir / "dispatchers.log"

    def replace_dead(self) -> None:
        """Restart what died, as the supervisor does."""
        for process in [each for each in self.dispatchers if each.poll() is not None]:
            self.dispatchers.remove(process)
            self.start_dispatcher()

    def end_dispatchers(self) -> None:
        for process in self.dispatchers:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@asynccontextmanager
async def installed(kind: DatabaseKind) -> AsyncIterator[Installation]:
    """Start an installation without a dispatcher; end and remove everything at the end."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sg-jobs-")))
        url = None
        if kind is DatabaseKind.POSTGRESQL:
            server = stack.enter_context(running_postgres())
            with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE jobs")
            url = f"{server}jobs"
        settings = ApiSettings(data_dir=folder, database_url=url)
        await upgrade(settings.db_url)
        database = Database(settings.db_url)
        stack.push_async_callback(database.close)
        head = Head(settings)
        stack.callback(head.kill)
        head.start()
        installation = Installation(settings, database, head)
        stack.callback(installation.end_dispatchers)
        yield installation
