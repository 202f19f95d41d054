"""How long we keep what: every rule in one list. Each domain removes its own things."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import InstrumentedAttribute

from api.content.exports import service as exports
from api.content.files import bin as file_bin
from api.edges.speech import service as speech
from api.edges.speech.limits import KEEP_HOURS
from api.people.account import purge as accounts
from api.people.account.limits import RESTORE_DAYS
from api.people.account.models import PasswordReset
from api.people.api_keys.limits import EXPIRED_DAYS
from api.people.api_keys.models import ApiKey
from api.people.audit.models import AuditEntry
from api.people.auth.models import AttemptCount
from api.people.billing.models import BillingEvent
from api.people.companies import queries as companies
from api.people.ledger import service as ledger
from api.people.membership import deletion as teams
from api.people.membership.models import Invitation
from api.people.users.models import BrowserSession
from api.platform.db.engine import Database
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.folder import remove_older
from api.platform.settings import ApiSettings
from api.platform.webhooks.models import WebhookDelivery

COMPANY_DAYS = 30
AUDIT_DAYS = 2 * 365
MAIL_DAYS = 30
WEBHOOK_DAYS = 30
EXPORT_PARTS_DAYS = 30
"""Encoded parts, which only make the next export of the same file faster."""
INVITATION_DAYS = 30
"""After an invitation has expired. Until then its team sees that it did."""
EVENT_DAYS = 60
"""Stripe delivers an event again for three days at most."""
PAYERS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Kept:
    """What rules work with."""

    settings: ApiSettings
    database: Database
    types: JobTypes


Remove = Callable[[Kept, datetime], Awaitable[int]]
"""Removes what is older than this time, in transactions of its own; returns how much there was."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`keep` counts from the deletion, or from the end of what expires."""

    name: str
    keep: timedelta
    remove: Remove


def _older(column: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None]) -> Remove:
    """Remove the rows whose time in this column is older."""

    async def remove(kept: Kept, before: datetime) -> int:
        async with kept.database.write() as session:
            statement = delete(column.class_).where(column < before).returning(column)
            return len((await session.execute(statement.execution_options(synchronize_session=False))).all())

    return remove


async def _files(kept: Kept, before: datetime) -> int:
    return await file_bin.purge_expired(kept.database, before)


async def _accounts(kept: Kept, before: datetime) -> int:
    return await accounts.purge_expired(kept.database, before)


async def _teams(kept: Kept, before: datetime) -> int:
    return await teams.purge_expired(kept.database, kept.types, before)


async def _speech(kept: Kept, before: datetime) -> int:
    return await speech.purge_expired(kept.database, before)


async def _export_parts(kept: Kept, before: datetime) -> int:
    return await exports.forget_parts(kept.database, before)


async def _companies(kept: Kept, before: datetime) -> int:
    async with kept.database.write() as session:
        return await companies.purge_expired(session, before)


async def _grants(kept: Kept, _before: datetime) -> int:
    count = 0
    while True:
        async with kept.database.write() as session:
            expired = await ledger.expire_due(session, PAYERS_AT_ONCE)
        count += expired
        if expired < PAYERS_AT_ONCE:
            return count


async def _mails(kept: Kept, before: datetime) -> int:
    return await asyncio.to_thread(remove_older, kept.settings.mail_dir, before)


RULES = (
    Rule("files in the bin", timedelta(days=file_bin.BIN_DAYS), _files),
    Rule("deleted accounts", timedelta(days=RESTORE_DAYS), _accounts),
    Rule("deleted teams", teams.RESTORABLE, _teams),
    Rule("parts of exports", timedelta(days=EXPORT_PARTS_DAYS), _export_parts),
    Rule("deleted companies", timedelta(days=COMPANY_DAYS), _companies),
    Rule("expired minutes", timedelta(), _grants),
    Rule("audit entries", timedelta(days=AUDIT_DAYS), _older(AuditEntry.at)),
    Rule("mails that failed", timedelta(days=MAIL_DAYS), _older(OutboxMessage.failed_at)),
    Rule("mails in the folder", timedelta(days=MAIL_DAYS), _mails),
    Rule("deliveries of webhooks", timedelta(days=WEBHOOK_DAYS), _older(WebhookDelivery.created_at)),
    Rule("expired invitations", timedelta(days=INVITATION_DAYS), _older(Invitation.expires_at)),
    Rule("calls of the speech API", timedelta(hours=KEEP_HOURS), _speech),
    Rule("expired API keys", timedelta(days=EXPIRED_DAYS), _older(ApiKey.expires_at)),
    Rule("expired links to a new password", timedelta(days=1), _older(PasswordReset.expires_at)),
    Rule("ended sessions", timedelta(days=1), _older(BrowserSession.expires_at)),
    Rule("events of payments", timedelta(days=EVENT_DAYS), _older(BillingEvent.received_at)),
    Rule("counts of attempts", timedelta(days=1), _older(AttemptCount.ends_at)),
)
