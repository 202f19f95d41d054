"""A code or a passkey of the last minutes, before what gives others power over an account or costs money."""

from __future__ import annotations

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth import sessions
from api.people.auth.viewer import SignedIn
from api.people.users.models import NO_PASSWORD, User
from api.people.users.passkeys import has_passkeys
from api.platform.http.errors import Conflict
from api.platform.http.state import State
from cluster.wording.message import Message


class StepUpNeeded(Conflict):
    """The page asks for a code or a passkey, confirms it, and makes the call again."""

    code = "step_up_needed"
    message = Message("auth.step_up_needed", "Show with a code or a passkey that it is you, then try again.")


async def must_confirm(session: AsyncSession, user: User) -> bool:
    """Whether there is a code or a passkey to ask for: an authenticator app, or passkeys in the place of a password."""
    if user.second_factor_at is not None:
        return True
    return user.password_hash == NO_PASSWORD and await has_passkeys(session, user.id)


async def _require_code(viewer: SignedIn, state: State) -> None:
    # Support has given a code to get into somebody's account, and confirms nothing there.
    if viewer.admin_id is not None:
        return
    async with state.database.read() as session:
        user = await session.get_one(User, viewer.user_id)
        if await must_confirm(session, user) and not await sessions.is_confirmed(session, viewer.session_id):
            raise StepUpNeeded


StepUp = Depends(_require_code)
"""For routes that people with an authenticator app, or with passkeys and no password, call after they have used it."""
