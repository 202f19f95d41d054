"""Sends what waits for endpoints. Any number of dispatchers may do so at once: each claims deliveries for a minute."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from dataclasses import dataclass

import structlog
from cryptography.fernet import InvalidToken
from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.rules import has_owner
from api.people.webhooks.endings import settle
from api.people.webhooks.models import WebhookDelivery, WebhookEndpoint
from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.settings import ApiSettings
from api.platform.webhooks.limits import LEASE_S, POLL_S, SLOTS, SLOTS_PER_ENDPOINT
from api.platform.webhooks.sending import Message, Outcome, send
from api.platform.webhooks.signing import unseal
from cluster.wording.message import Wording

log = structlog.get_logger(__name__)

NO_SECRET = Wording(
    "webhooks.no_secret", "The secret of this webhook cannot be read on this server. Make a new secret."
)()


@dataclass(frozen=True, slots=True)
class Claim:
    """A delivery that this process sends. `attempt` tells whether a later one has taken it over."""

    delivery_id: uuid.UUID
    endpoint_id: uuid.UUID
    attempt: int
    message: Message | None
    """None where its secret cannot be decrypted."""


class WebhookSender:
    def __init__(self, database: Database, settings: ApiSettings) -> None:
        self._database = database
        self._settings = settings
        self._running: Counter[uuid.UUID] = Counter()

    async def run(self) -> None:
        """Send forever."""
        async with asyncio.TaskGroup() as sending:
            while True:
                try:
                    for claim in await self._claim():
                        sending.create_task(self._deliver(claim))
                except DATABASE_AWAY:
                    log.warning("database.unavailable")
                await asyncio.sleep(POLL_S)

    async def send_due(self) -> int:
        """Make one attempt of each delivery that is due, some of them at most. Returns how many."""
        claims = await self._claim()
        await asyncio.gather(*(self._deliver(claim) for claim in claims))
        return len(claims)

    async def _claim(self) -> list[Claim]:
        free = SLOTS - self._running.total()
        busy = [endpoint_id for endpoint_id, count in self._running.items() if count >= SLOTS_PER_ENDPOINT]
        due = _is_due() & WebhookEndpoint.id.not_in(busy)
        if free <= 0:
            return []
        joined = select(WebhookDelivery.id).join(WebhookEndpoint, WebhookEndpoint.id == WebhookDelivery.endpoint_id)
        async with self._database.read() as session:
            if await session.scalar(joined.where(due).limit(1)) is None:
                return []
        async with self._database.write() as session:
            claims = await self._take(session, due, free)
        self._running.update(claim.endpoint_id for claim in claims)
        return claims

    async def _take(self, session: AsyncSession, due: ColumnElement[bool], free: int) -> list[Claim]:
        order = func.row_number().over(partition_by=WebhookDelivery.endpoint_id, order_by=WebhookDelivery.due_at)
        ranked = (
            select(WebhookDelivery.id, order.label("turn"))
            .join(WebhookEndpoint, WebhookEndpoint.id == WebhookDelivery.endpoint_id)
            .where(due)
            .subquery()
        )
        statement = (
            select(WebhookDelivery, WebhookEndpoint, clock.now())
            .join(WebhookEndpoint, WebhookEndpoint.id == WebhookDelivery.endpoint_id)
            .where(
                WebhookDelivery.id.in_(select(ranked.c.id).where(ranked.c.turn <= SLOTS_PER_ENDPOINT)),
                # Once more, for a row that another dispatcher claimed while this one waited.
                WebhookDelivery.due_at <= clock.now(),
            )
            .order_by(WebhookDelivery.due_at)
            .limit(free)
            .with_for_update(of=WebhookDelivery, skip_locked=True)
        )
        claims = []
        for delivery, endpoint, now in (await session.execute(statement)).tuples():
            delivery.attempts += 1
            delivery.attempted_at = now
            delivery.due_at = clock.now(LEASE_S)
            sealed = [endpoint.secret]
            if endpoint.former_secret and endpoint.former_until is not None and endpoint.former_until > now:
                sealed.append(endpoint.former_secret)
            claims.append(Claim(delivery.id, endpoint.id, delivery.attempts, self._message(delivery, endpoint, sealed)))
        return claims

    def _message(self, delivery: WebhookDelivery, endpoint: WebhookEndpoint, sealed: list[str]) -> Message | None:
        try:
            secrets = [unseal(self._settings, each) for each in sealed]
        except InvalidToken:
            log.error("webhook.secret_unreadable", endpoint_id=str(endpoint.id))
            return None
        return Message(delivery.id, endpoint.url, delivery.event, delivery.created_at, delivery.data, secrets)

    async def _deliver(self, claim: Claim) -> None:
        try:
            outcome = Outcome(None, 0, NO_SECRET)
            if claim.message is not None:
                outcome = await send(claim.message, allow_private=self._settings.webhooks_private)
            async with self._database.write() as session:
                await settle(session, self._settings, claim.endpoint_id, claim.delivery_id, claim.attempt, outcome)
        except DATABASE_AWAY:
            # It is sent once more when its lease has ended.
            log.warning("database.unavailable", delivery_id=str(claim.delivery_id))
        except Exception:
            # A fault in one delivery must not end the others.
            log.exception("webhook.delivery_broken", delivery_id=str(claim.delivery_id))
        finally:
            self._running[claim.endpoint_id] -= 1
            self._running += Counter()


def _is_due() -> ColumnElement[bool]:
    """Deliveries to endpoints that are on and whose owner is still there."""
    return and_(WebhookDelivery.due_at <= clock.now(), WebhookEndpoint.is_enabled, has_owner(WebhookEndpoint))
