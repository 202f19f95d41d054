"""A code of the last minutes, before what gives others power over an account or costs money."""

from __future__ import annotations

from fastapi import Depends

from api.people.auth import sessions
from api.people.auth.viewer import SignedIn
from api.people.users.models import User
from api.platform.http.errors import Conflict
from api.platform.http.state import State
from cluster.wording.message import Message


class StepUpNeeded(Conflict):
    """The page asks for a code, confirms it, and makes the call again."""

    code = "step_up_needed"
    message = Message("auth.step_up_needed", "Enter the code that your authenticator app shows, then try again.")


async def _require_code(viewer: SignedIn, state: State) -> None:
    # Support has given a code to get into somebody's account, and confirms nothing there.
    if viewer.admin_id is not None:
        return
    async with state.database.read() as session:
        user = await session.get_one(User, viewer.user_id)
        if user.second_factor_at is not None and not await sessions.is_confirmed(session, viewer.session_id):
            raise StepUpNeeded


StepUp = Depends(_require_code)
"""For routes that people with an authenticator app may call only after a code of the last minutes."""
