"""Faults seeded into minutes, payments and the audit log (see `seeded_faults.py`)."""

from __future__ import annotations

import uuid
from typing import Any


def charge_twice(metering: Any) -> None:
    """Write what a job was charged once more, without its effect on the grant."""
    settle = metering.settle

    async def settle_twice(session: Any, job_id: uuid.UUID, *arguments: Any, **more: Any) -> Any:
        from api.people.ledger.models import MovementKind
        from api.people.ledger.reservations import settled_parts
        from api.platform.db.base import utc_now

        result = await settle(session, job_id, *arguments, **more)
        for part in await settled_parts(session, job_id):
            session.add(part.movement(MovementKind.SETTLE, part.seconds, at=utc_now(), job_id=job_id))
        return result

    metering.settle = settle_twice


def believe_events(webhooks: Any) -> None:
    """Take a subscription's status and its end from the event, which may be old, and also from repeated ones."""
    receive = webhooks.receive

    async def believe(billing: Any, payload: bytes, signature: str | None) -> None:
        from sqlalchemy import update

        from api.people.billing.account.snapshot import moment
        from api.people.plans.models import Subscription, SubscriptionStatus

        await receive(billing, payload, signature)
        event = billing.gateway.event(payload, signature)
        about = event.data.object
        if about["object"] == "subscription":
            values = {"status": SubscriptionStatus(about["status"]), "cancel_at": moment(about["cancel_at"])}
            async with billing.database.write() as session:
                await session.execute(update(Subscription).where(Subscription.stripe_id == about["id"]).values(values))

    webhooks.receive = believe


def grant_again(granting: Any) -> None:
    """Give each grant a key of its own, and forget which months were granted."""
    grant, grant_months = granting.grant, granting.grant_months

    async def grant_new(session: Any, *, key: str, **values: Any) -> Any:
        return await grant(session, key=f"{key}:{uuid.uuid4()}", **values)

    async def grant_all(session: Any, invoice: Any, **more: Any) -> None:
        invoice.granted_until = None
        await grant_months(session, invoice, **more)

    granting.grant, granting.grant_months = grant_new, grant_all


def forget_entries(service: Any) -> None:
    from api.people.audit.actions import AuditAction

    record = service.record
    forgotten = {AuditAction.USER_UPDATED, AuditAction.BROWSE_AS_CHANGED}

    def record_some(session: Any, action: Any, **values: Any) -> None:
        if action not in forgotten:
            record(session, action, **values)

    service.record = record_some
