"""What the installation's machine offers and lacks, for administrators."""

from __future__ import annotations

from fastapi import APIRouter

from api.edges.admin.system.doctor import doctor_of
from api.edges.admin.system.schemas import SystemOut
from api.people.access.rules import AdminOnly
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State

router = APIRouter(prefix="/api/admin/system", tags=["admin"])


# Coroutines, because a check runs in the web process's loop.
@router.get("", responses=error_responses(401, 403))
async def system(_admin: AdminOnly, state: State) -> Data[SystemOut]:
    """The findings of the newest check. The first call starts one; ask again while it is running."""
    return Data(data=doctor_of(state).report())


@router.post("", status_code=202, responses=error_responses(401, 403, 419))
async def check_system(_admin: AdminOnly, state: State) -> Data[SystemOut]:
    """Check again."""
    return Data(data=doctor_of(state).report(again=True))
