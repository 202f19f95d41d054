"""Make, delete and restore accounts, and let their owners choose a password."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Depends

from api.edges.admin.users import accounts, queries
from api.edges.admin.users.schemas import AdminUserDetail, NewUser
from api.people.access.belongings import SharedBelongings
from api.people.access.rules import AdminOnly, require_admin
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(tags=["admin"], dependencies=[Depends(require_admin)])

ONE = "/api/admin/users/{user_id}"


@router.post("/api/user/create", status_code=201, responses=error_responses(401, 403, 419, 422, 429))
async def create_user(body: NewUser, viewer: AdminOnly, state: State) -> Data[AdminUserDetail]:
    """Make an account with a contract. Without a password its owner gets a mail with a link to choose one."""
    password_hash = await accounts.hash_of(body)
    async with state.database.write() as session:
        user = await accounts.create(session, state.settings, viewer, body, password_hash)
        return Data(data=await queries.detail(session, state.settings, user))


@router.delete(ONE, status_code=204, responses=error_responses(401, 403, 404, 409, 419, 422))
async def delete_user(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, types: Types, belongings: SharedBelongings
) -> None:
    """Delete an account. It can be restored for 30 days."""
    await accounts.remove(session, types, belongings, viewer, user_id)


@router.post(f"{ONE}/restore", responses=error_responses(401, 403, 404, 419, 422))
async def restore_user(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    user = await accounts.restore(session, viewer, user_id)
    return Data(data=await queries.detail(session, state.settings, user))


@router.post(f"{ONE}/reset-link", status_code=204, responses=error_responses(401, 403, 404, 409, 419, 422))
async def send_reset_link(user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State) -> None:
    """Mail the owner a link with which they choose a password."""
    await accounts.send_link(session, state.settings, viewer, user_id)


@router.post(f"{ONE}/sign-out", responses=error_responses(401, 403, 404, 419, 422))
async def sign_out_user(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Sign the owner out in every browser."""
    user = await accounts.sign_out(session, viewer, user_id)
    return Data(data=await queries.detail(session, state.settings, user))


@router.put(f"{ONE}/suspension", responses=error_responses(401, 403, 404, 409, 419, 422))
async def suspend_user(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Turn an account off: its owner is signed out, cannot sign in, and their keys and review links rest."""
    user = await accounts.turn(session, viewer, user_id, is_on=False)
    return Data(data=await queries.detail(session, state.settings, user))


@router.delete(f"{ONE}/suspension", responses=error_responses(401, 403, 404, 409, 419, 422))
async def resume_user(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    user = await accounts.turn(session, viewer, user_id, is_on=True)
    return Data(data=await queries.detail(session, state.settings, user))


@router.delete(f"{ONE}/second-factor", responses=error_responses(401, 403, 404, 409, 419, 422))
async def turn_off_second_factor(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Ask the owner for no code any more, who has lost their app. They are signed out everywhere and get a mail."""
    user = await accounts.turn_off_second_factor(session, viewer, user_id)
    return Data(data=await queries.detail(session, state.settings, user))
