"""What a copy says about the account itself: profile, API keys, webhooks and log. A team has the last two."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import select

from api.people.account.export.json_parts import PAGE, json_bytes
from api.people.account.export.scope import OfPerson, Scope
from api.people.account.models import EditorSettingsRow
from api.people.api_keys import queries as api_keys
from api.people.audit.queries import LogFilter, log_statement
from api.people.audit.sentences import sentence
from api.people.auth import sessions
from api.people.passkeys.service import passkeys_of
from api.people.plans.queries import plan_of
from api.people.providers.models import Identity
from api.people.users.models import NO_PASSWORD, User
from api.people.users.teams import teams_of_user
from api.people.webhooks.models import WebhookEndpoint
from api.platform.db.engine import Database


async def profile(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        user = await session.get_one(User, user_id)
        teams = await teams_of_user(session, user_id)
        browsers = await sessions.open_of(session, user_id)
        plan = await plan_of(session, user_id)
        editor = await session.get(EditorSettingsRow, user_id)
        identities = (await session.scalars(select(Identity).where(Identity.user_id == user_id))).all()
        passkeys = await passkeys_of(session, user_id)
    return json_bytes(
        {
            "id": user.id,
            "name": user.name,
            "email": user.email,
            "email_verified_at": user.email_verified_at,
            "pending_email": user.pending_email,
            "locale": user.locale,
            "created_at": user.created_at,
            "is_admin": user.is_admin,
            "plan": plan,
            "editor": {} if editor is None else editor.settings,
            "sign_in": {
                "has_password": user.password_hash != NO_PASSWORD,
                "second_factor_since": user.second_factor_at,
                "identities": [
                    {
                        "provider": each.provider,
                        "email": each.email,
                        "created_at": each.created_at,
                        "used_at": each.used_at,
                    }
                    for each in identities
                ],
                "passkeys": [
                    {"name": each.name, "created_at": each.created_at, "used_at": each.used_at} for each in passkeys
                ],
            },
            "teams": [{"id": each.team.id, "name": each.team.name, "role": each.role} for each in teams],
            "browsers": [
                {
                    "user_agent": browser.user_agent,
                    "network": browser.network,
                    "created_at": browser.created_at,
                    "last_used_at": browser.last_used_at,
                }
                for browser in browsers
            ],
        }
    )


async def keys(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        keys = await api_keys.of_person(session, user_id)
    return json_bytes(
        [
            {
                "name": key.name,
                "prefix": key.prefix,
                "scopes": key.scopes,
                "team_id": key.team_id,
                "created_at": key.created_at,
                "expires_at": key.expires_at,
                "last_used_at": key.last_used_at,
            }
            for key in keys
        ]
    )


async def webhooks(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        rows = (await session.scalars(select(WebhookEndpoint).where(scope.owned(WebhookEndpoint)))).all()
    return json_bytes(
        [
            {
                "name": row.name,
                "url": row.url,
                "events": row.events,
                "is_enabled": row.is_enabled,
                "team_id": row.team_id,
                "created_at": row.created_at,
            }
            for row in rows
        ]
    )


async def account_log(database: Database, scope: Scope) -> AsyncIterator[Any]:
    """What happened to the account or in the team. Network addresses are the person's own alone."""
    user_id = scope.user_id if isinstance(scope, OfPerson) else None
    wanted = LogFilter(subject_id=scope.user_id) if isinstance(scope, OfPerson) else LogFilter(team_id=scope.team_id)
    offset = 0
    while True:
        statement = log_statement(wanted).offset(offset).limit(PAGE)
        async with database.read() as session:
            rows = (await session.execute(statement)).tuples().all()
        for entry, actor, _, _, team in rows:
            yield {
                "at": entry.at,
                "action": entry.action,
                "sentence": sentence(entry.action, entry.details, entry.object_kind),
                "by": actor,
                "team": team,
                "network": entry.network if user_id is not None and entry.actor_id == user_id else None,
            }
        if len(rows) < PAGE:
            return
        offset += PAGE
