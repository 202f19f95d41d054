"""Whether this process can serve people: database, schema, storage, relay. Each problem is a sentence."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache

import httpx
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from api.db.engine import DATABASE_AWAY
from api.db.migrate import alembic_config
from api.http.state import AppState
from api.realtime.relay.server import Relay
from cluster.storage import StorageUnavailable

FRESH_S = 5.0
"""Probes come often, and some checks write. They share one answer for this long."""
WITHIN_S = 3.0
"""A check without an answer in this time has failed."""
PREFIX = "readiness"

DATABASE_AWAY_SENTENCE = "The database does not answer. Start it, or check SAGASCRIPT_DATABASE_URL."
OLD_SCHEMA = "The database has schema {found}, but this version needs {needed}. Run `sagascript migrate`."
STORAGE_AWAY = "Files cannot be stored. Check the storage folder or bucket, its permissions and the free space."
RELAY_AWAY = "The relay does not answer, so pages are not updated live. Start it, or check SAGASCRIPT_REALTIME_URL."


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    """`sentence` says what is wrong and what to do; it is empty when all is well."""

    name: str
    sentence: str


@cache
def _newest_schema() -> str | None:
    return ScriptDirectory.from_config(alembic_config("sqlite://")).get_current_head()


class ReadinessProbe:
    """`relay` is the one in this process, if any."""

    def __init__(self, state: AppState, relay: Relay | None) -> None:
        self._state = state
        self._relay = relay
        self._newest: tuple[list[ReadinessCheck], float] | None = None
        self._lock = asyncio.Lock()
        self._head = _newest_schema()

    async def checks(self) -> list[ReadinessCheck]:
        async with self._lock:
            if self._newest is None or time.monotonic() - self._newest[1] > FRESH_S:
                self._newest = (await self._look(), time.monotonic())
            return self._newest[0]

    async def _look(self) -> list[ReadinessCheck]:
        found = await asyncio.gather(
            _check("database", self._schema, DATABASE_AWAY_SENTENCE),
            _check("storage", self._storage, STORAGE_AWAY),
            _check("relay", self._relay_answers, RELAY_AWAY),
        )
        return list(found)

    async def _schema(self) -> str:
        async with self._state.database.read() as session:
            try:
                found = await session.scalar(text("SELECT version_num FROM alembic_version"))
            except DBAPIError as error:
                if isinstance(error, DATABASE_AWAY) and not self._state.database.is_sqlite:
                    raise
                found = None
        return "" if found == self._head else OLD_SCHEMA.format(found=found or "none", needed=self._head)

    async def _storage(self) -> str:
        return await asyncio.to_thread(self._write_probe)

    def _write_probe(self) -> str:
        storage, settings = self._state.storage, self._state.settings
        key = f"{PREFIX}/{uuid.uuid4().hex}/probe"
        try:
            settings.work_root.mkdir(parents=True, exist_ok=True)
            probe = settings.work_root / f"probe-{uuid.uuid4().hex}"
            probe.write_bytes(b"ready")
            storage.put(probe, key)
            storage.delete_prefix(key.rpartition("/")[0])
        except (StorageUnavailable, OSError):
            return STORAGE_AWAY
        return ""

    async def _relay_answers(self) -> str:
        if self._relay is not None:
            return "" if self._state.settings.redis_url is None or self._relay.peers.is_up else RELAY_AWAY
        try:
            async with httpx.AsyncClient(timeout=WITHIN_S, trust_env=False) as client:
                # Any answer shows that it runs; this call has no signature.
                await client.get(
                    f"{self._state.settings.relay_url}/apps/{self._state.settings.realtime_app_id}/channels"
                )
        except httpx.HTTPError:
            return RELAY_AWAY
        return ""


async def _check(name: str, look: Callable[[], Awaitable[str]], away: str) -> ReadinessCheck:
    try:
        async with asyncio.timeout(WITHIN_S):
            sentence = await look()
    except (TimeoutError, *DATABASE_AWAY):
        sentence = away
    return ReadinessCheck(name, sentence)
