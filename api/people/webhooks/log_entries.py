"""New entries of the account logs on their way to the process's log and to webhooks, after the commit."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.rules import of_owner
from api.people.audit.models import AuditEntry
from api.people.audit.sentences import sentence
from api.people.audit.service import ENTRY
from api.people.webhooks.emission import queue
from api.people.webhooks.models import WebhookEndpoint
from api.platform.db.engine import Database
from api.platform.db.expressions import in_list
from api.platform.jobs.sending.outbox_sender import Delivery
from api.platform.webhooks.events import EntryFacts, EventType, LogEntry

POLL_S = 1.0

log = structlog.get_logger(__name__)


def log_delivery(database: Database) -> Delivery:
    async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
        ids = [uuid.UUID(each["id"]) for each in payloads]
        async with database.read() as session:
            found = await session.scalars(select(AuditEntry).where(in_list(session, AuditEntry.id, ids)))
            entries = sorted(found, key=lambda entry: entry.at)
            watched = [entry for entry in entries if await _endpoints(session, entry)]
        for entry in entries:
            log.info("audit.entry", **_fields(entry))
        if watched:
            async with database.write() as session:
                for entry in watched:
                    for endpoint in await _endpoints(session, entry):
                        await queue(session, endpoint, LogEntry(entry=_facts(entry)))

    return Delivery(ENTRY, deliver, poll_s=POLL_S, keeps_sent=False)


async def _endpoints(session: AsyncSession, entry: AuditEntry) -> list[WebhookEndpoint]:
    """Those of the team that the entry is about, else of the person."""
    if entry.team_id is None and entry.subject_id is None:
        return []
    owner = entry.subject_id or uuid.UUID(int=0)
    statement = select(WebhookEndpoint).where(
        of_owner(owner, entry.team_id, WebhookEndpoint), WebhookEndpoint.is_enabled
    )
    return [each for each in await session.scalars(statement) if EventType.LOG_ENTRY in each.events]


def _facts(entry: AuditEntry) -> EntryFacts:
    return EntryFacts(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        sentence=sentence(entry.action, entry.details, entry.object_kind),
        by=entry.actor_email,
        team_id=entry.team_id,
    )


def _fields(entry: AuditEntry) -> dict[str, str]:
    """Ids instead of names and addresses, which logs need not hold."""
    values = {
        "action": entry.action,
        "actor_id": entry.actor_id,
        "subject_id": entry.subject_id,
        "team_id": entry.team_id,
        "object_kind": entry.object_kind,
        "object_id": entry.object_id,
        "network": entry.network,
    }
    return {"entry_id": str(entry.id)} | {name: str(value) for name, value in values.items() if value is not None}
