from __future__ import annotations

import uuid

from fastapi import APIRouter, Depends

from api.edges.admin.users import contracts, queries
from api.edges.admin.users.schemas import AdminUserDetail, ContractChange, Goodwill
from api.people.access.rules import AdminOnly, require_admin
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State, WriteSession

router = APIRouter(prefix="/api/admin/users/{user_id}", tags=["admin"], dependencies=[Depends(require_admin)])


@router.put("/contract", responses=error_responses(401, 403, 404, 419, 422))
async def set_contract(
    user_id: uuid.UUID, body: ContractChange, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Make or change the contract. It replaces what the account's plan says."""
    user = await contracts.agree(session, viewer, user_id, body)
    return Data(data=await queries.detail(session, state.settings, user))


@router.delete("/contract", responses=error_responses(401, 403, 404, 419, 422))
async def end_contract(
    user_id: uuid.UUID, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """End the contract now. What it has given stays usable until the month is over."""
    user = await contracts.end(session, viewer, user_id)
    return Data(data=await queries.detail(session, state.settings, user))


@router.post("/goodwill", status_code=201, responses=error_responses(401, 403, 404, 419, 422))
async def give_minutes(
    user_id: uuid.UUID, body: Goodwill, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Give the account minutes that cost nothing."""
    user = await contracts.give(session, viewer, user_id, body)
    return Data(data=await queries.detail(session, state.settings, user))
