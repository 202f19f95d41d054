"""How long we keep accounts, teams and what belongs to them."""

from __future__ import annotations

from datetime import datetime, timedelta

from api.people.access.belongings import Belongings
from api.people.account import purge as accounts
from api.people.account.limits import RESTORE_DAYS
from api.people.account.models import PasswordReset
from api.people.api_keys.limits import EXPIRED_DAYS
from api.people.api_keys.models import ApiKey
from api.people.audit.models import AuditEntry
from api.people.auth import session_ends
from api.people.auth.models import AttemptCount
from api.people.billing.models import BillingEvent
from api.people.companies import queries as companies
from api.people.ledger import service as ledger
from api.people.membership import deletion as teams
from api.people.membership.models import Invitation
from api.people.passkeys.models import PasskeyChallenge
from api.people.providers.models import SignInRequest
from api.people.second_factor.models import TrustedBrowser, WaitingSignIn
from api.people.users.models import BrowserSession
from api.people.webhooks.models import WebhookDelivery
from api.platform.jobs.outbox import end_connections
from api.platform.retention.rules import Rule, RuleTools, older

COMPANY_DAYS = 30
AUDIT_DAYS = 2 * 365
WEBHOOK_DAYS = 30
INVITATION_DAYS = 30
"""After an invitation has expired. Until then its team sees that it did."""
EVENT_DAYS = 60
"""Stripe delivers an event again for three days at most."""
PAYERS_AT_ONCE = 100


async def _companies(kept: RuleTools, before: datetime) -> int:
    async with kept.database.write() as session:
        return await companies.purge_expired(session, before)


async def _grants(kept: RuleTools, _before: datetime) -> int:
    count = 0
    while True:
        async with kept.database.write() as session:
            expired = await ledger.expire_due(session, PAYERS_AT_ONCE)
        count += expired
        if expired < PAYERS_AT_ONCE:
            return count


async def _outlasting_sessions(kept: RuleTools, _before: datetime) -> int:
    async with kept.database.write() as session:
        ended = await session_ends.end_outlasting(session)
        end_connections(session, ended)
    return len(ended)


def owner_rules(belongings: Belongings) -> tuple[Rule, ...]:
    """The rules of accounts and teams, which end with what they own."""

    async def remove_accounts(kept: RuleTools, before: datetime) -> int:
        return await accounts.purge_expired(kept.database, belongings, before)

    async def remove_teams(kept: RuleTools, before: datetime) -> int:
        return await teams.purge_expired(kept.database, kept.types, belongings, before)

    return (
        Rule("deleted accounts", timedelta(days=RESTORE_DAYS), remove_accounts),
        Rule("deleted teams", teams.RESTORABLE, remove_teams),
    )


RULES = (
    Rule("deleted companies", timedelta(days=COMPANY_DAYS), _companies),
    Rule("expired minutes", timedelta(), _grants),
    Rule("audit entries", timedelta(days=AUDIT_DAYS), older(AuditEntry.at)),
    Rule("deliveries of webhooks", timedelta(days=WEBHOOK_DAYS), older(WebhookDelivery.created_at)),
    Rule("expired invitations", timedelta(days=INVITATION_DAYS), older(Invitation.expires_at)),
    Rule("expired API keys", timedelta(days=EXPIRED_DAYS), older(ApiKey.expires_at)),
    Rule("expired links to a new password", timedelta(days=1), older(PasswordReset.expires_at)),
    Rule("ended sessions", timedelta(days=1), older(BrowserSession.expires_at)),
    Rule("sessions that outlast their team's limit", timedelta(), _outlasting_sessions),
    Rule("sign-ins that were begun with a provider", timedelta(hours=1), older(SignInRequest.expires_at)),
    Rule("sign-ins that waited for a code", timedelta(hours=1), older(WaitingSignIn.expires_at)),
    Rule("challenges of passkeys", timedelta(hours=1), older(PasskeyChallenge.expires_at)),
    Rule("browsers that needed no code", timedelta(days=1), older(TrustedBrowser.expires_at)),
    Rule("events of payments", timedelta(days=EVENT_DAYS), older(BillingEvent.received_at)),
    Rule("counts of attempts", timedelta(days=1), older(AttemptCount.ends_at)),
)
