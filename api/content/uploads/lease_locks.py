"""Locks across machines: a lease in the record's row, timed by the database's clock."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from sqlalchemy import or_, update

from api.content.arrivals.models import TusUpload
from api.content.uploads.tus.locks import TRY_EVERY_S, UploadLock
from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY, Database

log = structlog.get_logger(__name__)

LEASE_S = 10.0
RENEW_EVERY_S = 1.0
"""Also the longest time until a holder reads that a request on another machine wants its lock."""
RETRY_EVERY_S = 10 * TRY_EVERY_S
_OWNER_BYTES = 16


class LeaseLocks:
    """`UploadLocks` over the database. A holder that dies blocks others for up to `LEASE_S`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: dict[str, UploadLock] = {}
        """By owner, a random name for each hold, so that an expired hold never releases the next one."""
        self._owners: dict[str, str] = {}
        self._renewed_at = 0.0
        self._renewer: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def hold(self, upload_id: str, *, wait_s: float = 0.0) -> AsyncIterator[UploadLock | None]:
        owner = secrets.token_hex(_OWNER_BYTES)
        until = time.monotonic() + wait_s
        while not await self._try(upload_id, owner, ask=wait_s > 0):
            if time.monotonic() >= until:
                yield None
                return
            await asyncio.sleep(RETRY_EVERY_S)
        lock = self._held[owner] = UploadLock()
        self._owners[upload_id] = owner
        self._renew()
        try:
            yield lock
        finally:
            del self._held[owner]
            if self._owners.get(upload_id) == owner:
                del self._owners[upload_id]
            await asyncio.shield(self._release(owner))

    async def _try(self, upload_id: str, owner: str, *, ask: bool) -> bool:
        is_free = or_(TusUpload.lock_owner.is_(None), TusUpload.lock_until < clock.now())
        values = {"lock_owner": owner, "lock_until": clock.now(LEASE_S), "lock_wanted": False}
        async with self._database.write() as session:
            statement = update(TusUpload).where(TusUpload.id == upload_id, is_free).values(values)
            if (await session.scalar(statement.returning(TusUpload.id))) is not None:
                return True
            if ask:
                await session.execute(
                    update(TusUpload).where(TusUpload.id == upload_id, ~TusUpload.lock_wanted).values(lock_wanted=True)
                )
        if ask and upload_id in self._owners:
            self._held[self._owners[upload_id]].wanted.set()
        return False

    async def _release(self, owner: str) -> None:
        free = {"lock_owner": None, "lock_until": None, "lock_wanted": False}
        try:
            async with self._database.write() as session:
                await session.execute(update(TusUpload).where(TusUpload.lock_owner == owner).values(free))
        except DATABASE_AWAY as error:
            log.warning("upload.lease_not_released", error=type(error).__name__)

    def _renew(self) -> None:
        if self._renewer is None or self._renewer.done():
            self._renewed_at = time.monotonic()
            self._renewer = asyncio.create_task(self._renewing())

    async def _renewing(self) -> None:
        """One statement renews every lease of this process, while it has any."""
        while self._held:
            await asyncio.sleep(RENEW_EVERY_S)
            owners = list(self._held)
            try:
                await self._renew_once(owners)
            except DATABASE_AWAY as error:
                log.warning("upload.lease_not_renewed", error=type(error).__name__)
                if time.monotonic() - self._renewed_at >= LEASE_S:
                    self._interrupt(owners)

    async def _renew_once(self, owners: list[str]) -> None:
        statement = (
            update(TusUpload)
            .where(TusUpload.lock_owner.in_(owners))
            .values(lock_until=clock.now(LEASE_S))
            .returning(TusUpload.lock_owner, TusUpload.lock_wanted)
        )
        async with self._database.write() as session:
            rows = (await session.execute(statement)).all()
        self._renewed_at = time.monotonic()
        renewed = {owner for owner, is_wanted in rows if not is_wanted}
        self._interrupt([owner for owner in owners if owner not in renewed])

    def _interrupt(self, owners: list[str]) -> None:
        for owner in owners:
            if owner in self._held:
                self._held[owner].wanted.set()
