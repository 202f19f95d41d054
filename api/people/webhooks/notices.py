"""Mails about endpoints that fail: to the person who owns one, or to the owners of its team."""

from __future__ import annotations

from collections.abc import Sequence

import httpx2
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import TEAM_OWNERS
from api.people.users.models import User
from api.people.users.teams import members_with_accounts
from api.people.webhooks.models import WebhookEndpoint
from api.platform.mail.messages import WebhookFailing, WebhookTurnedOff
from api.platform.mail.outgoing import send_later
from api.platform.settings import ApiSettings


def host_of(endpoint: WebhookEndpoint) -> str:
    """The host of an endpoint. The rest of its address may be a secret."""
    return httpx2.URL(endpoint.url).host


async def mail_failures(session: AsyncSession, settings: ApiSettings, endpoint: WebhookEndpoint) -> None:
    link = _link(settings, endpoint)
    for user in await _people(session, endpoint):
        mail = WebhookFailing(to=user.email, locale=user.locale, name=user.name, host=host_of(endpoint), link=link)
        send_later(session, mail)


async def mail_turned_off(session: AsyncSession, settings: ApiSettings, endpoint: WebhookEndpoint) -> None:
    link = _link(settings, endpoint)
    for user in await _people(session, endpoint):
        mail = WebhookTurnedOff(to=user.email, locale=user.locale, name=user.name, host=host_of(endpoint), link=link)
        send_later(session, mail)


def _link(settings: ApiSettings, endpoint: WebhookEndpoint) -> str:
    """The page on which the endpoint is shown."""
    if endpoint.team_id is None:
        return f"{settings.base_url}/settings?section=webhooks"
    return f"{settings.base_url}/teams?team={endpoint.team_id}&section=webhooks"


async def _people(session: AsyncSession, endpoint: WebhookEndpoint) -> Sequence[User]:
    if endpoint.team_id is not None:
        members = await members_with_accounts(session, endpoint.team_id)
        return [user for member, user in members if member.role in TEAM_OWNERS]
    user = await session.get(User, endpoint.user_id)
    return [user] if user is not None and user.deleted_at is None else []
