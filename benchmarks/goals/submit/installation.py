"""The API as its own process over an empty database, one signed-in user, and files that can be exported."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import unquote

import httpx2
import psycopg

import api.tables  # noqa: F401
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File, FileKind, FileStatus
from api.content.preparation.work import ingest_work
from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD
from api.testing.databases.database_kind import DatabaseKind
from api.testing.databases.postgres import running_postgres
from cluster.ports import free_ports, is_listening
from pipelines.messages.lines import CaptionLine

PROJECT = Path(__file__).parents[3]
START_S = 90.0
WAITING_SHARE = 4
"""One in this many files waits in the queue, as on the page of somebody who uploads."""


@dataclass(frozen=True, slots=True)
class Served:
    """A running API; `headers` are those of its signed-in user, `pid` is its first web process at `port`."""

    port: int
    pid: int
    ports: tuple[int, ...]
    pids: tuple[int, ...]
    """Of all web processes."""
    headers: dict[str, str]
    user_id: uuid.UUID
    database: Database

    async def files(self, count: int) -> list[str]:
        """Create transcribed files of the user; return their slugs."""
        slugs = []
        async with self.database.write() as session:
            for _ in range(count):
                file = _file(self.user_id, FileStatus.COMPLETED)
                session.add(file)
                await session.flush()
                track = CaptionTrack(file_id=file.id, language=file.language, origin=TrackOrigin.TRANSCRIPTION)
                session.add(track)
                await session.flush()
                line = CaptionLine(str(uuid.uuid4()), 0, 1_000, "Góðan daginn", (), ())
                await insert_lines(session, track.id, [line], revision=0)
                slugs.append(file.slug)
        return slugs

    async def waiting(self, count: int) -> None:
        """Create files of the user whose first job waits."""
        async with self.database.write() as session:
            for _ in range(count):
                file = _file(self.user_id, FileStatus.WAITING)
                session.add(file)
                await session.flush()
                await enqueue(
                    session,
                    kind=JobKind.UPLOAD,
                    subject_id=file.id,
                    file_id=file.id,
                    user_id=self.user_id,
                    dedup_key=f"upload:{file.id}",
                    request=ingest_work(file).request,
                    work=1_000_000,
                )


def _file(user_id: uuid.UUID, status: FileStatus) -> File:
    return File(
        user_id=user_id,
        name="talk",
        filename="talk.mp4",
        kind=FileKind.VIDEO,
        status=status,
        language="is-IS",
        duration_ms=60_000,
        width=1280,
        height=720,
        original_key=f"originals/{uuid.uuid4()}/talk.mp4",
        plays_in_browser=True,
    )


@asynccontextmanager
async def served(
    kind: DatabaseKind, *, durable: bool = False, more: Mapping[str, str] | None = None, processes: int = 1
) -> AsyncIterator[Served]:
    """`durable`: commits of PostgreSQL wait for the disk; those of SQLite always do. `more` are settings."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sg-submit-")))
        url = None
        if kind is DatabaseKind.POSTGRESQL:
            server = stack.enter_context(running_postgres(durable=durable))
            with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE submit")
            url = f"{server}submit"
        settings = ApiSettings(data_dir=folder, database_url=url)
        await upgrade(settings.db_url)
        database = Database(settings.db_url)
        stack.push_async_callback(database.close)
        ports = free_ports(processes)
        env = {
            **os.environ,
            "SAGASCRIPT_DATA_DIR": str(folder),
            "SAGASCRIPT_DATABASE_URL": settings.db_url,
            **(more or {}),
        }
        program = [sys.executable, "-m", "api.main", "api", "--port"]
        pids = [start(stack, [*program, str(port)], port, env).pid for port in ports]
        headers, user_id = await _sign_up(ports[0])
        yield Served(ports[0], pids[0], tuple(ports), tuple(pids), headers, user_id, database)


def start(
    stack: AsyncExitStack, program: list[str], port: int, env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program that listens on the port; the stack ends it."""
    process = subprocess.Popen(program, cwd=PROJECT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.kill)
    deadline = time.monotonic() + START_S
    while not is_listening("127.0.0.1", port, timeout_s=1.0):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{' '.join(program)} did not start.")
        time.sleep(0.1)
    return process


async def _sign_up(port: int) -> tuple[dict[str, str], uuid.UUID]:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        await client.get("/sanctum/csrf-cookie")
        email = {"name": "Ada", "email": "ada@example.com", "password": PASSWORD, "password_confirmation": PASSWORD}
        token = {XSRF_HEADER: unquote(client.cookies[XSRF_COOKIE])}
        answer = await client.post("/register", json=email, headers=token)
        answer.raise_for_status()
        cookies = SimpleCookie({name: value for name, value in client.cookies.items()})
        sent = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        headers = {"Cookie": sent, XSRF_HEADER: unquote(client.cookies[XSRF_COOKIE])}
        return headers, uuid.UUID(answer.json()["data"]["id"])
