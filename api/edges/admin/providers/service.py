"""Add, change and remove identity providers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.administrators import BY_COMMAND
from api.edges.admin.providers.schemas import ProviderIn, ProviderOut
from api.people.audit.actions import AuditAction
from api.people.audit.service import record, record_for
from api.people.auth.viewer import Viewer
from api.people.providers.models import Identity, ProviderRow
from api.people.providers.provider import Provider
from api.people.providers.provisioned import ProvisionedPerson
from api.people.providers.registry import all_providers, sealed_secret
from api.people.providers.settings_entries import ProviderEntry, entries_of_settings
from api.people.provisioning.resources import PATH
from api.people.provisioning.tokens import end_token, make_token, tokens_of
from api.people.single_sign_on.sign_out import end_sessions_of
from api.people.teams.models import Team, is_open
from api.platform.db.engine import Database
from api.platform.db.expressions import in_list
from api.platform.http.errors import Conflict, Invalid, NotFound
from api.platform.settings import ApiSettings
from cluster.wording.message import Message, Wording

PROVIDERS_MAX = 100

TAKEN = Wording("providers.taken", "There is a provider “{slug}” already. Choose another short name.")
TOO_MANY = Message(
    "providers.too_many", "You have {count} providers, and no more fit. Remove one first.", count=PROVIDERS_MAX
)
FIXED = Message(
    "providers.fixed", "This provider stands in the settings of the installation. Change it there and restart."
)
UNKNOWN = Message("providers.unknown", "There is no such provider any more.")
NO_TEAM = Wording("providers.no_team", "There is no team with the id {id}. You find it in the address of its page.")
NO_RENAMING = Message("providers.no_renaming", "The short name stays: the provider knows our addresses by it.")


async def describe_all(session: AsyncSession, settings: ApiSettings) -> list[ProviderOut]:
    entry = await all_providers(session, settings)
    people, tokens, provisioned = await _people(session), await tokens_of(session), await _provisioned(session)
    names = await _team_names(session, {each.team_id for one in entry for each in one.provider.team_groups})
    return [
        _describe(
            settings,
            each,
            people,
            names,
            provisioned.get(each.provider.slug, 0),
            tokens.get(each.provider.slug, (None, None)),
        )
        for each in entry
    ]


async def describe_one(session: AsyncSession, settings: ApiSettings, slug: str) -> ProviderOut:
    """Raises `NotFound`."""
    for described in await describe_all(session, settings):
        if described.provider.slug == slug:
            return described
    raise NotFound(UNKNOWN)


async def add(session: AsyncSession, settings: ApiSettings, viewer: Viewer, body: ProviderIn) -> None:
    """Raises `Invalid` for a slug that is taken, or teams that do not exist."""
    provider = body.provider
    entry = await all_providers(session, settings)
    if any(each.provider.slug == provider.slug for each in entry):
        raise Invalid.field("slug", TAKEN(slug=provider.slug))
    if len(entry) >= PROVIDERS_MAX:
        raise Conflict(TOO_MANY)
    await _require_teams(session, provider)
    session.add(
        ProviderRow(
            slug=provider.slug,
            described=provider.model_dump(mode="json"),
            secret=sealed_secret(settings, body.client_secret or None),
            is_enabled=body.is_enabled,
        )
    )
    await session.flush()
    record_for(session, viewer, AuditAction.PROVIDER_ADDED, name=provider.name, slug=provider.slug)


async def change(session: AsyncSession, settings: ApiSettings, viewer: Viewer, slug: str, body: ProviderIn) -> None:
    """Raises `NotFound`, `Conflict` for one of the settings, or `Invalid`."""
    row = await _row(session, settings, slug)
    if body.provider.slug != slug:
        raise Invalid.field("slug", NO_RENAMING)
    await _require_teams(session, body.provider)
    described = body.provider.model_dump(mode="json")
    fields = [name for name, value in described.items() if row.described.get(name) != value]
    if body.client_secret is not None:
        row.secret = sealed_secret(settings, body.client_secret or None)
        fields.append("client_secret")
    if row.is_enabled != body.is_enabled:
        row.is_enabled = body.is_enabled
        fields.append("is_enabled")
    row.described = described
    if fields:
        record_for(
            session, viewer, AuditAction.PROVIDER_CHANGED, name=body.provider.name, slug=slug, fields=sorted(fields)
        )


async def remove(session: AsyncSession, settings: ApiSettings, viewer: Viewer, slug: str) -> None:
    """Links to it stay, and count again when a provider with this issuer is added. Sessions that it began end.

    Raises `NotFound` or `Conflict`.
    """
    row = await _row(session, settings, slug)
    await session.delete(row)
    await end_token(session, slug)
    await end_sessions_of(session, slug)
    name = Provider.model_validate(row.described).name
    record_for(session, viewer, AuditAction.PROVIDER_REMOVED, name=name, slug=slug)


async def start_provisioning(session: AsyncSession, settings: ApiSettings, viewer: Viewer, slug: str) -> str:
    """A new token for the SCIM calls of a provider. Raises `NotFound`."""
    name = (await describe_one(session, settings, slug)).provider.name
    token = await make_token(session, slug)
    record_for(session, viewer, AuditAction.PROVISIONING_ON, name=name, slug=slug)
    return token


async def end_provisioning(session: AsyncSession, settings: ApiSettings, viewer: Viewer, slug: str) -> None:
    """The people whom the provider added stay as they are. Raises `NotFound`."""
    name = (await describe_one(session, settings, slug)).provider.name
    if await end_token(session, slug):
        record_for(session, viewer, AuditAction.PROVISIONING_OFF, name=name, slug=slug)


async def turn_off(database: Database, settings: ApiSettings, slug: str) -> None:
    """For whoever has the machine, while a provider is down that people have to use. Raises as `change`."""
    async with database.write() as session:
        row = await _row(session, settings, slug)
        row.is_enabled = False
        name = Provider.model_validate(row.described).name
        record(
            session,
            AuditAction.PROVIDER_CHANGED,
            actor_id=None,
            name=name,
            slug=slug,
            fields=["is_enabled"],
            by=BY_COMMAND,
        )


async def _row(session: AsyncSession, settings: ApiSettings, slug: str) -> ProviderRow:
    if any(entry.provider.slug == slug for entry in entries_of_settings(settings)):
        raise Conflict(FIXED)
    row = await session.get(ProviderRow, slug, with_for_update=True)
    if row is None:
        raise NotFound(UNKNOWN)
    return row


async def _require_teams(session: AsyncSession, provider: Provider) -> None:
    wanted = {each.team_id for each in provider.team_groups}
    missing = wanted - (await _team_names(session, wanted)).keys()
    if missing:
        raise Invalid.field("team_groups", NO_TEAM(id=str(min(missing))))


async def _team_names(session: AsyncSession, team_ids: set[uuid.UUID]) -> dict[uuid.UUID, str]:
    statement = select(Team.id, Team.name).where(in_list(session, Team.id, list(team_ids)), is_open())
    return dict((await session.execute(statement)).tuples().all())


async def _people(session: AsyncSession) -> dict[str, int]:
    """How many accounts are linked to each issuer."""
    statement = select(Identity.issuer, func.count(Identity.user_id.distinct())).group_by(Identity.issuer)
    rows: Sequence[tuple[str, int]] = (await session.execute(statement)).tuples().all()
    return dict(rows)


async def _provisioned(session: AsyncSession) -> dict[str, int]:
    """How many people each provider keeps up to date."""
    statement = select(ProvisionedPerson.provider, func.count()).group_by(ProvisionedPerson.provider)
    return dict((await session.execute(statement)).tuples().all())


def _describe(
    settings: ApiSettings,
    entry: ProviderEntry,
    people: dict[str, int],
    names: dict[uuid.UUID, str],
    provisioned: int,
    token: tuple[datetime | None, datetime | None],
) -> ProviderOut:
    base, slug = settings.base_url, entry.provider.slug
    return ProviderOut(
        provider=entry.provider,
        has_secret=entry.secret is not None,
        is_enabled=entry.is_enabled,
        is_configured=entry.is_configured,
        team_names={each.team_id: names[each.team_id] for each in entry.provider.team_groups if each.team_id in names},
        people=people.get(entry.provider.issuer, 0),
        redirect_uri=f"{base}/sign-in/{slug}",
        post_logout_redirect_uri=f"{base}/login",
        back_channel_logout_uri=f"{base}/api/sign-in/{slug}/back-channel-logout",
        front_channel_logout_uri=f"{base}/api/sign-in/{slug}/front-channel-logout",
        provisioning_url=f"{base}{PATH}",
        provisioned=provisioned,
        token_made_at=token[0],
        token_used_at=token[1],
    )
