"""What the processes check before they call themselves ready: database, storage, relay, Redis, Ray."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import httpx2
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.db.migrate import newest_schema
from api.platform.http.state import AppState
from api.platform.operations.readiness import WITHIN_S, Look
from api.platform.realtime.relay.server import Relay
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage, StorageUnavailable

PREFIX = "readiness"

DATABASE_AWAY_SENTENCE = "The database does not answer. Start it, or check SAGASCRIPT_DATABASE_URL."
OLD_SCHEMA = "The database has schema {found}, but this version needs {needed}. Run `sagascript migrate`."
STORAGE_AWAY = "Files cannot be stored. Check the storage folder or bucket, its permissions and the free space."
RELAY_AWAY = "The relay does not answer, so pages are not updated live. Start it, or check SAGASCRIPT_REALTIME_URL."
REDIS_AWAY = (
    "Redis does not answer, so this relay gets no events of the others. Start it, or check SAGASCRIPT_REDIS_URL."
)
RAY_AWAY = "The Ray cluster does not answer, so no job runs. Start it, or check SAGASCRIPT_RAY_ADDRESS."


def database_and_storage(state: AppState) -> list[Look]:
    return [_database(state.database), _storage(state.storage, state.settings)]


def relay_answers(settings: ApiSettings, relay: Relay | None) -> Look:
    """`relay` is the one in this process, if any."""

    async def look() -> str:
        if relay is not None:
            return "" if settings.redis_url is None or relay.peers.is_up else RELAY_AWAY
        try:
            async with httpx2.AsyncClient(timeout=WITHIN_S, trust_env=False) as client:
                # Any answer shows that it runs; this call has no signature.
                await client.get(f"{settings.relay_url}/apps/{settings.realtime_app_id}/channels")
        except httpx2.HTTPError:
            return RELAY_AWAY
        return ""

    return Look("relay", look, RELAY_AWAY)


def redis_answers(relay: Relay) -> Look:
    """Whether a relay process reaches the others; one alone needs nobody."""

    async def look() -> str:
        return "" if relay.peers.is_up else REDIS_AWAY

    return Look("redis", look, REDIS_AWAY)


def ray_answers(is_joined: Callable[[], bool]) -> Look:
    async def look() -> str:
        return "" if is_joined() else RAY_AWAY

    return Look("ray", look, RAY_AWAY)


def _database(database: Database) -> Look:
    head = newest_schema()

    async def look() -> str:
        async with database.read() as session:
            try:
                found = await session.scalar(text("SELECT version_num FROM alembic_version"))
            except DBAPIError as error:
                if isinstance(error, DATABASE_AWAY) and not database.is_sqlite:
                    raise
                found = None
        return "" if found == head else OLD_SCHEMA.format(found=found or "none", needed=head)

    return Look("database", look, DATABASE_AWAY_SENTENCE)


def _storage(storage: Storage, settings: ApiSettings) -> Look:
    def write() -> str:
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

    async def look() -> str:
        return await asyncio.to_thread(write)

    return Look("storage", look, STORAGE_AWAY)
