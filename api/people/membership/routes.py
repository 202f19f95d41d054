"""Teams and their members."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.people.access.belongings import SharedBelongings
from api.people.auth.attempts import SharedAttempts
from api.people.auth.step_up import StepUp
from api.people.auth.viewer import Registered, SignedIn
from api.people.membership import deletion, queries, service
from api.people.membership.held_team import hold
from api.people.membership.limits import CREATE_TEAM
from api.people.membership.schemas import RoleChange, TeamChange, TeamDetail, TeamIn, TeamListed
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/teams", tags=["teams"])


@router.get("", responses=error_responses(401))
async def list_teams(viewer: SignedIn, session: ReadSession) -> Data[list[TeamListed]]:
    """The viewer's teams, and deleted ones that they may still restore."""
    return Data(data=await queries.listed(session, viewer))


@router.post("", status_code=201, responses=error_responses(401, 419, 422, 429))
async def create_team(body: TeamIn, viewer: SignedIn, state: State, attempts: SharedAttempts) -> Data[TeamDetail]:
    await attempts.add(state.database, (CREATE_TEAM, str(viewer.user_id)))
    async with state.database.write() as session:
        team = await service.create(session, viewer, body)
        answer = await queries.detail(session, viewer, team.id)
    return Data(data=answer)


@router.get("/{team_id}", responses=error_responses(401, 404, 422))
async def get_team(team_id: uuid.UUID, viewer: SignedIn, session: ReadSession) -> Data[TeamDetail]:
    return Data(data=await queries.detail(session, viewer, team_id))


@router.put("/{team_id}", responses=error_responses(401, 403, 404, 419, 422))
async def change_team(
    team_id: uuid.UUID, body: TeamChange, viewer: SignedIn, session: WriteSession
) -> Data[TeamDetail]:
    await service.change(session, viewer, team_id, body)
    return Data(data=await queries.detail(session, viewer, team_id))


@router.delete("/{team_id}", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def delete_team(
    team_id: uuid.UUID, viewer: SignedIn, session: WriteSession, types: Types, belongings: SharedBelongings
) -> None:
    """Hide the team and its files from everybody. Its owners may restore it for 30 days."""
    await hold(session, viewer, team_id)
    await deletion.delete_team(session, types, belongings, viewer, team_id)


@router.post("/{team_id}/restore", responses=error_responses(401, 403, 404, 419, 422))
async def restore_team(team_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> Data[TeamDetail]:
    await hold(session, viewer, team_id, deleted=True)
    await deletion.restore_team(session, viewer, team_id)
    return Data(data=await queries.detail(session, viewer, team_id))


@router.post("/{team_id}/leave", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def leave_team(
    team_id: uuid.UUID, viewer: Registered, session: WriteSession, belongings: SharedBelongings
) -> None:
    await service.remove_member(session, belongings, viewer, team_id, viewer.user_id)


@router.post("/{team_id}/payer", dependencies=[StepUp], responses=error_responses(401, 402, 403, 404, 409, 419, 422))
async def take_over_payment(team_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> Data[TeamDetail]:
    """Make the viewer's own plan pay for the team from now on."""
    await service.take_over_payment(session, viewer, team_id)
    return Data(data=await queries.detail(session, viewer, team_id))


@router.put("/{team_id}/members/{user_id}", responses=error_responses(401, 403, 404, 419, 422))
async def change_role(
    team_id: uuid.UUID,
    user_id: uuid.UUID,
    body: RoleChange,
    viewer: SignedIn,
    session: WriteSession,
    belongings: SharedBelongings,
) -> Data[TeamDetail]:
    await service.change_role(session, belongings, viewer, team_id, user_id, body.role)
    return Data(data=await queries.detail(session, viewer, team_id))


@router.delete("/{team_id}/members/{user_id}", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def remove_member(
    team_id: uuid.UUID, user_id: uuid.UUID, viewer: SignedIn, session: WriteSession, belongings: SharedBelongings
) -> None:
    """Remove a member, at once. With one's own id it is the same as leaving."""
    await service.remove_member(session, belongings, viewer, team_id, user_id)
