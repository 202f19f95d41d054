"""What an attempt's outcome means for its delivery and its endpoint."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.webhooks.models import DeliveryState, OffReason, WebhookDelivery, WebhookEndpoint
from api.people.webhooks.notices import host_of, mail_failures, mail_turned_off
from api.people.webhooks.transitions import DELIVERY_STATE
from api.platform.db import clock
from api.platform.settings import ApiSettings
from api.platform.webhooks.events import TEST
from api.platform.webhooks.limits import JITTER, NOTICE_AFTER, OFF_AFTER, RETRY_S
from api.platform.webhooks.sending import GONE, Outcome
from cluster.wording.message import Message

TURNED_OFF = Message("webhooks.turned_off", "The webhook was turned off before this was delivered.")

log = structlog.get_logger(__name__)


async def settle(
    session: AsyncSession,
    settings: ApiSettings,
    endpoint_id: uuid.UUID,
    delivery_id: uuid.UUID,
    attempt: int,
    outcome: Outcome,
) -> None:
    """Write the outcome, unless somebody deleted the endpoint or another attempt has begun. Locks endpoints first."""
    endpoint = await session.get(WebhookEndpoint, endpoint_id, with_for_update=True)
    delivery = await session.get(WebhookDelivery, delivery_id, with_for_update=True)
    if endpoint is None or delivery is None or delivery.attempts != attempt:
        return
    if delivery.state is not DeliveryState.WAITING:
        return
    now = (await session.scalars(select(clock.now()))).one()
    delivery.status_code, delivery.duration_ms, delivery.error = outcome.status, outcome.duration_ms, outcome.error
    if outcome.error is None:
        _end(delivery, DeliveryState.DELIVERED)
        endpoint.failing_since = endpoint.noticed_at = None
        return
    log.info("webhook.failed", endpoint_id=str(endpoint.id), attempt=attempt, status=outcome.status)
    if delivery.event == TEST or attempt > len(RETRY_S):
        _end(delivery, DeliveryState.FAILED)
    else:
        pause_s = RETRY_S[attempt - 1] * (1 + random.uniform(0, JITTER))
        delivery.due_at = now + timedelta(seconds=pause_s)
    if delivery.event != TEST:
        await _note_failure(session, settings, endpoint, outcome, now)


async def turn_off(session: AsyncSession, endpoint: WebhookEndpoint, reason: OffReason | None) -> None:
    """Turn an endpoint off and give up what waits for it. `reason` is None when a person does so."""
    endpoint.is_enabled = False
    endpoint.off_reason = reason
    waiting = DELIVERY_STATE.update_to(DeliveryState.FAILED).where(
        WebhookDelivery.endpoint_id == endpoint.id, WebhookDelivery.state == DeliveryState.WAITING
    )
    await session.execute(waiting.values(due_at=None, error=TURNED_OFF).execution_options(synchronize_session="fetch"))


async def _note_failure(
    session: AsyncSession, settings: ApiSettings, endpoint: WebhookEndpoint, outcome: Outcome, now: datetime
) -> None:
    failing_since = endpoint.failing_since = endpoint.failing_since or now
    failing_for = now - failing_since
    reason = OffReason.GONE if outcome.status == GONE else OffReason.FAILING if failing_for >= OFF_AFTER else None
    if reason is not None and endpoint.is_enabled:
        await turn_off(session, endpoint, reason)
        log.warning("webhook.turned_off", endpoint_id=str(endpoint.id), reason=reason)
        record(
            session,
            AuditAction.WEBHOOK_TURNED_OFF,
            actor_id=None,
            subject_id=endpoint.user_id,
            team_id=endpoint.team_id,
            object_kind="webhook",
            object_id=str(endpoint.id),
            host=host_of(endpoint),
        )
        await mail_turned_off(session, settings, endpoint)
    elif failing_for >= NOTICE_AFTER and endpoint.noticed_at is None:
        endpoint.noticed_at = now
        await mail_failures(session, settings, endpoint)


def _end(delivery: WebhookDelivery, state: DeliveryState) -> None:
    DELIVERY_STATE.move(delivery, state)
    delivery.due_at = None
