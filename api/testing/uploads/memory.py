"""An upload server with records in memory, for tests of the protocol without a database."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount
from uvicorn.server import ServerState

from api.content.uploads.tus.app import TusApp
from api.content.uploads.tus.context import TusContext, TusRules, bearer_token
from api.content.uploads.tus.errors import TusError, not_found
from api.content.uploads.tus.headers import CONTENT_TYPE, VERSION
from api.content.uploads.tus.records import Owner, TokenSpent, TusRecord
from api.content.uploads.tus.storage.file_locks import FileLocks
from api.content.uploads.tus.storage.local_store import LocalStore
from api.content.uploads.tus.storage.store import StoreState
from api.platform.server.request_heads import BoundedHttpProtocol
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S

MAX_SIZE = 1_000_000
OWN_ORIGIN = "https://sagascript.example"
WAIT_S = 0.3


class MemoryRecords:
    def __init__(self) -> None:
        self.rows: dict[str, TusRecord] = {}
        self.spent: dict[str, str] = {}

    async def create(self, record: TusRecord) -> TusRecord:
        token = record.owner.token_hash
        if token in self.spent:
            first = self.rows[self.spent[token]]
            if (first.length, first.metadata, first.concat) != (record.length, record.metadata, record.concat):
                raise TokenSpent
            return first
        if not record.is_partial:
            self.spent[token] = record.id
            record = replace(record, object_key=f"uploads/{record.id}/original")
        self.rows[record.id] = record
        return record

    async def repeated(self, record: TusRecord) -> TusRecord | None:
        first = self.rows.get(self.spent.get(record.owner.token_hash, ""))
        is_same = first is not None and (first.metadata, first.concat) == (record.metadata, record.concat)
        return first if is_same else None

    async def get(self, upload_id: str) -> TusRecord | None:
        return self.rows.get(upload_id)

    async def set_length(self, upload_id: str, length: int) -> None:
        self.rows[upload_id] = replace(self.rows[upload_id], length=length)

    async def set_offset(self, upload_id: str, offset: int, state: StoreState | None, *, known: int) -> bool:
        row = self.rows[upload_id]
        if row.is_over or row.offset != known:
            return False
        self.rows[upload_id] = replace(row, offset=offset, state=state)
        return True

    async def terminate(self, upload_id: str) -> bool:
        row = self.rows[upload_id]
        if row.is_over:
            return False
        self.rows[upload_id] = replace(row, terminated=True)
        return True


class TokenIsOwner:
    """Any token is valid; an upload belongs to the token that created it."""

    async def creator(self, request: Request) -> Owner:
        token = bearer_token(request)
        if token is None:
            raise TusError(401, "No token.")
        return Owner(user_id=uuid.uuid5(uuid.NAMESPACE_OID, token), team_id=None, token_hash=token)

    async def check(self, request: Request, record: TusRecord | None) -> None:
        token = bearer_token(request)
        if token is None:
            raise TusError(401, "No token.")
        if record is None or record.owner.token_hash != token:
            raise not_found()


class MemoryHost:
    """A server, a signed-in client, and the completed uploads by id."""

    def __init__(self, folder: Path) -> None:
        self._port: int | None = None
        self.records = MemoryRecords()
        self.completed: list[str] = []
        self.locks_folder = folder / "locks"
        self.objects = LocalStorage(folder / "objects")
        self.store = LocalStore(folder / "incoming", self.objects)
        self.tus = TusContext(
            records=self.records,
            authenticator=TokenIsOwner(),
            complete=self._complete,
            store=self.store,
            locks=FileLocks(self.locks_folder),
            rules=TusRules(max_size=MAX_SIZE, own_origins=frozenset({OWN_ORIGIN}), wait_s=WAIT_S),
        )
        self.app = Starlette(routes=[Mount("/tus", app=TusApp(self.tus, unavailable=(ConnectionError,)))])

    async def _complete(self, record: TusRecord) -> None:
        assert self.store.publish(record)
        self.completed.append(record.id)
        self.records.rows[record.id] = replace(self.records.rows[record.id], completed=True)

    def whole(self) -> list[bytes]:
        """The contents of the objects made from uploads."""
        rows = (self.records.rows[upload_id] for upload_id in self.completed)
        return [b"".join(self.objects.read(row.object_key)) for row in rows]

    @property
    def is_on_port(self) -> bool:
        return self._port is not None

    @asynccontextmanager
    async def on_port(self) -> AsyncIterator[None]:
        """Serve through the product's web server; clients then use that port."""
        config = WebServer(self.app, ApiSettings(host="127.0.0.1", port=0)).config
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: BoundedHttpProtocol(config, state, app_state={}), "127.0.0.1", 0
        )
        self._port = int(server.sockets[0].getsockname()[1])
        try:
            yield
        finally:
            server.close()
            for connection in list(state.connections):
                connection.transport.abort()

    def client(self, token: str | None = "token") -> httpx2.AsyncClient:
        """A client signed in with `token` that sends the protocol's version."""
        headers = {"Tus-Resumable": VERSION}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self._port is not None:
            base_url = f"http://127.0.0.1:{self._port}"
            return httpx2.AsyncClient(base_url=base_url, headers=headers, trust_env=False, timeout=PATIENCE_S)
        transport = httpx2.ASGITransport(app=self.app)
        return httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers)

    def bytes_of(self, location: str) -> bytes:
        """The names in the store; empty if nothing was ever written."""
        path = self.store.path(location.rpartition("/")[2])
        return path.read_bytes() if path.exists() else b""


async def create(client: httpx2.AsyncClient, length: int, **more: str) -> str:
    """Create an upload; return its location."""
    answer = await client.post("/tus/", headers={"Upload-Length": str(length), **more})
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


async def defer(client: httpx2.AsyncClient) -> str:
    """Create an upload of deferred length; return its location."""
    answer = await client.post("/tus/", headers={"Upload-Defer-Length": "1"})
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


async def offset_of(client: httpx2.AsyncClient, location: str) -> int:
    answer = await client.head(location)
    assert answer.status_code == 200
    return int(answer.headers["Upload-Offset"])


def patch_headers(offset: int, **more: str) -> dict[str, str]:
    return {"Content-Type": CONTENT_TYPE, "Upload-Offset": str(offset), **more}
