"""The providers' persons that sign in to one's own account."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.errors import LastWay
from api.people.account.proof import require_proof
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import Registered, Viewer
from api.people.passkeys import service as passkeys
from api.people.providers.models import Identity, Purpose
from api.people.providers.registry import enabled
from api.people.single_sign_on.errors import UNKNOWN_IDENTITY
from api.people.single_sign_on.limits import LINK_ACCOUNT
from api.people.single_sign_on.routes import SharedMetadata, send_away
from api.people.single_sign_on.schemas import (
    GoTo,
    IdentitiesOut,
    IdentityChange,
    IdentityOut,
    ProviderChoice,
)
from api.people.users.models import NO_PASSWORD, User
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import AppState, ReadSession, State

router = APIRouter(prefix="/api/user/identities", tags=["sign-in"])


@router.get("", responses=error_responses(401))
async def list_identities(viewer: Registered, state: State, session: ReadSession) -> Data[IdentitiesOut]:
    names = {each.provider.slug: each.provider.name for each in await enabled(session, state.settings)}
    rows = await _identities(session, viewer.user_id)
    linked = [
        IdentityOut(
            id=row.id,
            provider=row.provider,
            name=names.get(row.provider, row.provider),
            email=row.email,
            created_at=row.created_at,
            used_at=row.used_at,
            is_on=row.provider in names,
        )
        for row in rows
    ]
    has = {row.provider for row in rows}
    could_be = [ProviderChoice(slug=slug, name=name) for slug, name in names.items() if slug not in has]
    return Data(data=IdentitiesOut(linked=linked, could_be=could_be))


@router.post("/{slug}", responses=error_responses(401, 404, 419, 422, 429, 503))
async def start_link(
    slug: str,
    body: IdentityChange,
    viewer: Registered,
    request: Request,
    state: State,
    attempts: SharedAttempts,
    metadata: SharedMetadata,
) -> Data[GoTo]:
    """Begin to link a provider's person to one's account: whoever signs in there then is the one."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    await attempts.add(state.database, (LINK_ACCOUNT, str(viewer.user_id)))
    return await send_away(slug, request, state, metadata, Purpose.LINK, viewer.user_id)


@router.post("/{slug}/confirm", responses=error_responses(401, 404, 419, 422, 429, 503))
async def start_confirmation(
    slug: str,
    viewer: Registered,
    request: Request,
    state: State,
    attempts: SharedAttempts,
    metadata: SharedMetadata,
) -> Data[GoTo]:
    """Begin to sign in again, for what asks people with a password for it."""
    await attempts.add(state.database, (LINK_ACCOUNT, str(viewer.user_id)))
    return await send_away(slug, request, state, metadata, Purpose.CONFIRM, viewer.user_id)


@router.delete("/{identity_id}", status_code=204, responses=error_responses(401, 404, 409, 419, 422, 429))
async def remove_identity(
    identity_id: uuid.UUID, body: IdentityChange, viewer: Registered, state: State, attempts: SharedAttempts
) -> None:
    """Remove a link. Refused for the only way into the account."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        await _remove(session, state, viewer, identity_id)


async def _remove(session: AsyncSession, state: AppState, viewer: Viewer, identity_id: uuid.UUID) -> None:
    user = await session.get_one(User, viewer.user_id, with_for_update=True)
    rows = await _identities(session, viewer.user_id)
    row = next((each for each in rows if each.id == identity_id), None)
    if row is None:
        raise NotFound(UNKNOWN_IDENTITY)
    names = {each.provider.slug: each.provider.name for each in await enabled(session, state.settings)}
    others = [each for each in rows if each.id != identity_id and each.provider in names]
    if user.password_hash == NO_PASSWORD and not others and await passkeys.count_of(session, user.id) == 0:
        raise LastWay
    await session.delete(row)
    record_for(session, viewer, AuditAction.IDENTITY_REMOVED, provider=names.get(row.provider, row.provider))


async def _identities(session: AsyncSession, user_id: uuid.UUID) -> list[Identity]:
    statement = select(Identity).where(Identity.user_id == user_id).order_by(Identity.created_at, Identity.id)
    return list((await session.scalars(statement)).all())
