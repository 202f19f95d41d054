"""Ask somebody who is signed in once more who they are, before what cannot be undone."""

from __future__ import annotations

from api.people.account.errors import WRONG_PASSWORD, SignInAgain
from api.people.account.limits import PASSWORD_CHECK
from api.people.auth import sessions
from api.people.auth.attempts import Attempts
from api.people.auth.passwords import password_matches
from api.people.auth.step_up import StepUpNeeded, must_confirm
from api.people.auth.viewer import Viewer
from api.people.users.models import NO_PASSWORD, User
from api.platform.http.errors import Invalid
from api.platform.http.state import AppState


async def require_proof(state: AppState, attempts: Attempts, viewer: Viewer, password: str, *, field: str) -> User:
    """The viewer's account, if this is its password. Raises `Invalid` for the field, `TooManyRequests` for guesses.

    For an account without one, a passkey or code of the last minutes stands in, or else a sign-in that was made for it.
    With a second factor the password takes a code too. Raises `StepUpNeeded`, `SignInAgain`.
    """
    await attempts.add(state.database, (PASSWORD_CHECK, str(viewer.user_id)))
    async with state.database.read() as session:
        user = await session.get_one(User, viewer.user_id)
        is_confirmed = await sessions.is_confirmed(session, viewer.session_id)
        can_confirm = await must_confirm(session, user)
    if user.password_hash == NO_PASSWORD:
        if not is_confirmed:
            raise StepUpNeeded if can_confirm else SignInAgain
        return user
    if not await password_matches(password, user.password_hash):
        raise Invalid.field(field, WRONG_PASSWORD)
    if can_confirm and not is_confirmed:
        raise StepUpNeeded
    return user
