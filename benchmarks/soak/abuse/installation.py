"""The web process under the product's own supervisor, with two people: one who works, and one who attacks."""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

import api.tables  # noqa: F401
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File, FileKind, FileStatus
from api.edges.cli.installation.programs import API, DATABASE, installation
from api.people.auth.csrf import XSRF_COOKIE
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.settings import ApiSettings
from benchmarks.soak.abuse.attacks.captions import SHIFTED_LINES
from benchmarks.soak.abuse.target import HOST, Target
from benchmarks.soak.abuse.write_lock import row_lock, sqlite_lock
from benchmarks.soak.browser import Browser
from benchmarks.soak.postgres import PostgresServer
from cluster.ports import free_ports
from cluster.supervisor.supervisor import Supervisor
from pipelines.messages.lines import CaptionLine

DATABASE_FILE = "sagascript.db"
LINES = 300
"""Captions of a file of 15 minutes."""

OTHER_FILES = 40
POLL_S = 0.05
SIGN_UP_S = 120.0
ANSWERS_S = 180.0


@dataclass
class Installation:
    """`events` are the supervisor's messages: empty until it restarts the web process."""

    supervisor: Supervisor
    target: Target
    bystander: Browser
    slug: str
    lines: list[str]
    token: str
    events: list[str]
    has_pages: bool
    """Whether the front end is built."""
    is_lock_free: Callable[[], bool]
    """Whether nobody holds the lock that changes of the attacker's longest file take."""

    @property
    def pid(self) -> int | None:
        return self.supervisor.pid(API)

    async def until_answers(self) -> None:
        """Wait until the web process answers, even through a restart. Raises TimeoutError if that takes too long."""
        async with asyncio.timeout(ANSWERS_S):
            while True:
                await self.supervisor.until_ready(API)
                answer = await self.bystander.try_once("GET", "/api/health")
                if answer is not None and answer.is_success:
                    return
                await asyncio.sleep(POLL_S)

    async def restart(self) -> None:
        """Replace the web process if a finished attack left something running in it."""
        old = self.pid
        if old is not None:
            os.kill(old, signal.SIGKILL)
        while self.pid in (None, old):
            await asyncio.sleep(POLL_S)
        await self.supervisor.until_ready(API)


@asynccontextmanager
async def running(folder: Path, postgres: PostgresServer | None = None) -> AsyncIterator[Installation]:
    """Start the web process in `folder`, with its people and their files."""
    (port,) = free_ports(1)
    url = postgres.url if postgres is not None else f"sqlite:///{folder / DATABASE_FILE}"
    settings = ApiSettings(data_dir=folder, port=port, database_url=url)
    await upgrade(settings.db_url)
    mark = f"abuse-{uuid.uuid4().hex}"
    program = next(each for each in installation(settings, head=None, mark=mark, logs=folder) if each.name == API)
    environment = {"SAGASCRIPT_DATABASE_URL": url, "SAGASCRIPT_PORT": str(port)}
    events: list[str] = []
    supervisor = Supervisor(
        [replace(program, env={**program.env, **environment})],
        logs=folder / "logs",
        mark=mark,
        report=lambda _name, sentence: events.append(sentence),
        gates=(DATABASE,),
    )
    supervisor.open_gate(DATABASE)
    database = Database(settings.db_url)
    attacker, bystander = (Browser(f"http://{HOST}:{port}") for _ in range(2))
    try:
        await supervisor.start()
        async with asyncio.timeout(SIGN_UP_S):
            theirs = uuid.UUID(await attacker.sign_up("attacker"))
            ours = uuid.UUID(await bystander.sign_up("bystander"))
        talk, lines = await _file(database, theirs, LINES)
        long, _ = await _file(database, theirs, SHIFTED_LINES)
        huge, _ = await _file(database, theirs, 1)
        slug, own_lines = await _file(database, ours, LINES)
        for _ in range(OTHER_FILES):
            await _file(database, ours, 1)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in attacker.http.cookies.jar)
        target = Target(
            port, settings.realtime_key, cookies, _token(attacker), {"talk": talk, "long": long, "huge": huge}, lines
        )
        has_pages = (settings.ui_root / "index.html").is_file()
        is_lock_free = sqlite_lock(folder / DATABASE_FILE) if postgres is None else row_lock(postgres.url, long)
        yield Installation(
            supervisor, target, bystander, slug, own_lines, _token(bystander), events, has_pages, is_lock_free
        )
    finally:
        await attacker.close()
        await bystander.close()
        await database.close()
        await supervisor.stop()


def _token(browser: Browser) -> str:
    """The anti-forgery token, read from its cookie as pages do."""
    return unquote(browser.http.cookies[XSRF_COOKIE])


async def _file(database: Database, user_id: uuid.UUID, lines: int) -> tuple[str, list[str]]:
    """Create a transcribed file; return its slug and the ids of its captions."""
    captions = [
        CaptionLine(str(uuid.uuid4()), number * 3000, number * 3000 + 2500, f"This is caption number {number}.", ())
        for number in range(lines)
    ]
    async with database.write() as session:
        file = File(
            user_id=user_id,
            name="talk",
            filename="talk.mp4",
            kind=FileKind.VIDEO,
            status=FileStatus.COMPLETED,
            language="en-US",
            duration_ms=lines * 3000,
            original_key=f"originals/{uuid.uuid4()}/talk.mp4",
            plays_in_browser=True,
        )
        session.add(file)
        await session.flush()
        track = CaptionTrack(file_id=file.id, language=file.language, origin=TrackOrigin.TRANSCRIPTION)
        session.add(track)
        await session.flush()
        await insert_lines(session, track.id, captions, revision=0)
        return file.slug, [line.id for line in captions]
