"""A ledger for tests: payers with minutes, and jobs that use them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.job_types import JOB_TYPES
from api.people.ledger import service
from api.people.ledger.balances import Balance, balance
from api.people.ledger.invariants import violations
from api.people.ledger.models import Movement
from api.people.plans.minutes import GrantSource
from api.people.plans.models import Contract
from api.people.plans.service import set_contract
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.jobs import queue
from api.platform.jobs.states import JobKind
from api.testing.jobs.job_queue import NumberedRequest


@dataclass
class Ledger:
    database: Database

    async def user(self, name: str = "ada") -> uuid.UUID:
        async with self.database.write() as session:
            user = User(name=name, email=f"{name}.{uuid.uuid4().hex[:8]}@example.com", password_hash="-")
            session.add(user)
            await session.flush()
            return user.id

    async def now(self) -> datetime:
        async with self.database.read() as session:
            now: datetime = (await session.scalars(select(clock.now()))).one()
            return now

    async def grant(
        self,
        payer_id: uuid.UUID,
        seconds: int,
        *,
        source: GrantSource = GrantSource.PLAN,
        key: str | None = None,
        days: float | None = 30,
    ) -> uuid.UUID:
        """Give seconds that expire after `days`, or did so when negative. Returns the grant's id."""
        now = await self.now()
        expires_at = None if days is None else now + timedelta(days=days)
        starts_at = now - timedelta(days=31)
        async with self.database.write() as session:
            row = await service.grant(
                session,
                payer_id=payer_id,
                source=source,
                seconds=seconds,
                starts_at=starts_at,
                expires_at=expires_at,
                key=key or uuid.uuid4().hex,
            )
            return row.id

    async def contract(
        self,
        user_id: uuid.UUID,
        *,
        max_seconds: int | None,
        price_minutes: int = 0,
        max_space: int | None = None,
        max_users: int | None = None,
    ) -> Contract:
        async with self.database.write() as session:
            return await set_contract(
                session,
                user_id,
                price_monthly=10_000,
                price_minutes=price_minutes,
                max_seconds=max_seconds,
                max_space=max_space,
                max_users=max_users,
            )

    async def reserve(
        self,
        payer_id: uuid.UUID,
        seconds: int,
        *,
        job_id: uuid.UUID | None = None,
        file_id: uuid.UUID | None = None,
        user_id: uuid.UUID | None = None,
    ) -> uuid.UUID:
        """Reserve for a job, a new one unless given, and return its id."""
        async with self.database.write() as session:
            job_id = job_id or await self._queue(session, user_id or payer_id, file_id)
            await service.reserve(
                session,
                payer_id=payer_id,
                job_id=job_id,
                file_id=file_id,
                work=JOB_TYPES[JobKind.TRANSCRIBE].kind,
                seconds=seconds,
                user_id=user_id,
            )
        return job_id

    async def _queue(self, session: AsyncSession, user_id: uuid.UUID, file_id: uuid.UUID | None) -> uuid.UUID:
        key = uuid.uuid4()
        job = await queue.enqueue(
            session,
            kind=JobKind.TRANSCRIBE,
            subject_id=file_id or key,
            file_id=file_id,
            user_id=user_id,
            dedup_key=str(key),
            request=NumberedRequest(key=str(key)),
        )
        return job.id

    async def settle(self, job_id: uuid.UUID, seconds: int | None = None) -> int:
        async with self.database.write() as session:
            return await service.settle(session, job_id, seconds)

    async def release(self, job_id: uuid.UUID) -> None:
        async with self.database.write() as session:
            await service.release(session, job_id)

    async def balance(self, payer_id: uuid.UUID) -> Balance:
        async with self.database.read() as session:
            return await balance(session, payer_id)

    async def movements(self, payer_id: uuid.UUID) -> list[tuple[str, str, int]]:
        """Kind, funding and seconds of each movement, the oldest first."""
        async with self.database.read() as session:
            rows = await session.scalars(select(Movement).where(Movement.payer_id == payer_id).order_by(Movement.id))
            return [(row.kind, row.funding, row.seconds) for row in rows]

    async def violations(self) -> list[str]:
        async with self.database.read() as session:
            return await violations(session)
