"""Real upload servers on a port, with a real database and disk: in the test's event loop, or in a process to kill."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from sqlalchemy import select

from api.content.arrivals.models import Upload
from api.content.files.models import File
from api.content.uploads import tokens
from api.people.auth import sessions
from api.people.auth.cookies import SESSION_COOKIE
from api.people.auth.csrf import XSRF_HEADER, make_csrf_token
from api.people.auth.viewer import Viewer
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.processes import upload_server
from api.testing.databases.migrated import make_sqlite
from api.testing.processes.forked_process import ForkedProcess, command
from api.testing.uploads.sending import TUS, metadata
from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port


class RunningHost:
    """Common part: settings, database and a signed-in user. Subclasses start and stop the server."""

    def __init__(self, folder: Path, *, database_url: str | None = None, is_remote: bool = False) -> None:
        """`is_remote`: the server knows its public URL and answers with absolute addresses."""
        self.settings = ApiSettings(
            data_dir=folder / "data", port=free_port(), session_secret="a secret of the test", database_url=database_url
        )
        if is_remote:
            self.settings = self.settings.model_copy(update={"uploads_endpoint": self.url})
        self.database = Database(self.settings.db_url)
        self.user_id = uuid.uuid4()
        self.cookies: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"{self.settings.base_url}/tus/"

    def incoming(self, location: str) -> Path:
        """The path of an unfinished upload's bytes, once there are some."""
        return self.settings.storage_root / ".incoming" / location.rpartition("/")[2]

    def incoming_size(self, location: str) -> int:
        path = self.incoming(location)
        return path.stat().st_size if path.exists() else 0

    async def prepare(self) -> None:
        """Create a database with one signed-in user."""
        if self.database.is_sqlite:
            make_sqlite(self.settings.db_url)
        async with self.database.write() as session:
            session.add(User(id=self.user_id, name="Ada", email="ada@example.com", password_hash="-"))
            await session.flush()
            cookie = await sessions.start(session, user_id=self.user_id, hours=1)
        self.cookies = {SESSION_COOKIE: cookie}

    def cookie_headers(self) -> dict[str, str]:
        """Headers that the owner's browser sends with every request."""
        cookie = self.cookies[SESSION_COOKIE]
        xsrf = make_csrf_token(self.settings.signing_key, cookie)
        return {"Cookie": f"{SESSION_COOKIE}={cookie}", XSRF_HEADER: xsrf}

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            base_url=self.settings.base_url, headers=TUS | self.cookie_headers(), trust_env=False, timeout=60
        )

    async def token(self) -> str:
        async with self.database.write() as session:
            viewer = Viewer(user_id=self.user_id, is_admin=False, team_id=None)
            return (await tokens.issue(session, viewer))[0]

    async def create(self, client: httpx2.AsyncClient, length: int, filename: str = "talk.mp4") -> str:
        headers = {
            "Authorization": f"Bearer {await self.token()}",
            "Upload-Length": str(length),
            "Upload-Metadata": metadata(filename=filename),
        }
        answer = await client.post("/tus/", headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.headers["Location"])

    async def files(self) -> list[File]:
        async with self.database.read() as session:
            return list((await session.scalars(select(File))).all())

    async def upload(self) -> Upload:
        async with self.database.read() as session:
            return (await session.scalars(select(Upload))).one()

    def stored_path(self, file: File) -> Path:
        return LocalStorage(self.settings.storage_root).open_path(file.original_key)

    def stored(self, file: File) -> bytes:
        return self.stored_path(file).read_bytes()


class HostInLoop(RunningHost):
    """Starts at once; ends with the test."""

    async def start(self) -> None:
        self.server = upload_server(self.settings)
        self.running = asyncio.create_task(self.server.serve())
        async with asyncio.timeout(PATIENCE_S):
            while not self.server.started:
                await asyncio.sleep(0.01)

    async def stop(self) -> None:
        self.server.should_exit = True
        await self.running


class HostProcess(RunningHost):
    """Runs the product's own command."""

    command = "uploads"
    process: ForkedProcess | None = None

    async def start(self) -> None:
        environment = {
            **os.environ,
            "SAGASCRIPT_DATA_DIR": str(self.settings.data_dir),
            "SAGASCRIPT_SESSION_SECRET": self.settings.signing_key,
            "SAGASCRIPT_PUBLIC_URL": self.settings.base_url,
            "SAGASCRIPT_UPLOADS_ENDPOINT": self.settings.uploads_endpoint,
            "SAGASCRIPT_DATABASE_URL": self.settings.db_url,
        }
        self.process = command(self.command, "--port", str(self.settings.port), env=environment)
        async with asyncio.timeout(PATIENCE_S), self.client() as client:
            while True:
                assert self.process.poll() is None, "the upload host ended"
                try:
                    await client.options("/tus/")
                    return
                except httpx2.TransportError:
                    await asyncio.sleep(0.05)

    async def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            await asyncio.to_thread(self.process.wait)


@contextmanager
def cut_connection(host: RunningHost, request: bytes) -> Iterator[socket.socket]:
    """Open a connection and send `request`; the test may drop it at any byte."""
    with socket.create_connection(("127.0.0.1", host.settings.port)) as connection:
        connection.sendall(request)
        yield connection


def raw_patch(host: RunningHost, location: str, offset: int, length: int) -> bytes:
    """The head of a PATCH, for tests that drop the connection inside its body."""
    headers = {
        "Host": f"127.0.0.1:{host.settings.port}",
        **TUS,
        **host.cookie_headers(),
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": str(offset),
        "Content-Length": str(length),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"PATCH {location} HTTP/1.1\r\n{lines}\r\n".encode()
