"""Invitations: send, send again, withdraw, open, accept and decline."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request

from api.people.auth.address import client_network
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import NoForgery, Registered, SignedIn
from api.people.membership import invitations, queries
from api.people.membership.limits import INVITE_ADDRESS, INVITE_PERSON, OPEN_LINK
from api.people.membership.models import Invitation
from api.people.membership.schemas import InvitationToken, InvitationView, NewInvitation, TeamDetail
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State, WriteSession

router = APIRouter(prefix="/api/teams", tags=["teams"])


@router.post("/invitations/open", dependencies=[NoForgery], responses=error_responses(404, 419, 422, 429))
async def open_invitation(
    body: InvitationToken, request: Request, state: State, attempts: SharedAttempts
) -> Data[InvitationView]:
    """What an invitation offers, for the holder of its link, signed in or not. A POST keeps the token out of logs."""
    await attempts.add(state.database, (OPEN_LINK, client_network(request)))
    async with state.database.read() as session:
        return Data(data=await invitations.view(session, body.token))


@router.post("/invitations/accept", responses=error_responses(401, 402, 404, 419, 422, 429))
async def accept_invitation(
    body: InvitationToken, request: Request, viewer: Registered, state: State, attempts: SharedAttempts
) -> Data[TeamDetail]:
    await attempts.add(state.database, (OPEN_LINK, client_network(request)))
    async with state.database.write() as session:
        team = await invitations.accept(session, viewer, body.token)
        answer = await queries.detail(session, viewer, team.id)
    return Data(data=answer)


@router.post(
    "/invitations/decline",
    status_code=204,
    responses=error_responses(401, 402, 404, 419, 422, 429),
)
async def decline_invitation(
    body: InvitationToken, request: Request, viewer: Registered, state: State, attempts: SharedAttempts
) -> None:
    await attempts.add(state.database, (OPEN_LINK, client_network(request)))
    async with state.database.write() as session:
        await invitations.decline(session, viewer, body.token)


@router.post("/{team_id}/invitations", status_code=201, responses=error_responses(401, 402, 403, 404, 419, 422, 429))
async def invite(
    team_id: uuid.UUID, body: NewInvitation, viewer: SignedIn, state: State, attempts: SharedAttempts
) -> Data[TeamDetail]:
    await attempts.add(state.database, (INVITE_PERSON, str(viewer.user_id)), (INVITE_ADDRESS, body.email))
    async with state.database.write() as session:
        await invitations.invite(session, viewer, team_id, body, base_url=state.settings.base_url)
        answer = await queries.detail(session, viewer, team_id)
    return Data(data=answer)


@router.post(
    "/{team_id}/invitations/{invitation_id}/resend", responses=error_responses(401, 402, 403, 404, 419, 422, 429)
)
async def resend_invitation(
    team_id: uuid.UUID, invitation_id: uuid.UUID, viewer: SignedIn, state: State, attempts: SharedAttempts
) -> Data[TeamDetail]:
    async with state.database.read() as session:
        invitation = await session.get(Invitation, invitation_id)
    # An id of another team counts too; only its holder could know it.
    address = str(invitation_id) if invitation is None else invitation.email
    await attempts.add(state.database, (INVITE_PERSON, str(viewer.user_id)), (INVITE_ADDRESS, address))
    async with state.database.write() as session:
        await invitations.resend(session, viewer, team_id, invitation_id, base_url=state.settings.base_url)
        answer = await queries.detail(session, viewer, team_id)
    return Data(data=answer)


@router.delete(
    "/{team_id}/invitations/{invitation_id}",
    status_code=204,
    responses=error_responses(401, 403, 404, 419, 422),
)
async def withdraw_invitation(
    team_id: uuid.UUID, invitation_id: uuid.UUID, viewer: SignedIn, session: WriteSession
) -> None:
    await invitations.withdraw(session, viewer, team_id, invitation_id)
