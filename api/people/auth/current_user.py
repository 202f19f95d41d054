from __future__ import annotations

from fastapi import APIRouter

from api.people.auth import browse_as
from api.people.auth.viewer import Registered
from api.people.users import queries
from api.people.users.models import User
from api.people.users.schemas import UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State

router = APIRouter(prefix="/api/user", tags=["users"])


@router.get("", responses=error_responses(401))
async def current_user(viewer: Registered, state: State, session: ReadSession) -> Data[UserOut]:
    user = await session.get_one(User, viewer.user_id)
    answer = await queries.describe(session, user, state.settings)
    answer.browse_as = await browse_as.describe(session, viewer)
    if viewer.admin_id is not None:
        # Support may look while the customer has yet to confirm their address.
        answer.must_verify_email = False
        answer.must_add_factor = False
    return Data(data=answer)
