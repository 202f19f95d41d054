"""Access to uploads: creation needs a token, later requests a token of the same person or their signed-in browser."""

from __future__ import annotations

import hmac

from starlette.requests import Request

from api.content.uploads import tokens
from api.content.uploads.tus.context import bearer_token
from api.content.uploads.tus.errors import TusError, not_found
from api.content.uploads.tus.records import Owner, TusRecord
from api.people.access.owned import TEAM_OWNERS
from api.people.access.rules import changes, is_same_person
from api.people.auth.sessions import hash_token
from api.people.auth.viewer import load_viewer
from api.platform.db.engine import Database
from api.platform.http.errors import ApiError
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

TOKEN_NEEDED = Message(
    "uploads.token_needed", "This upload needs a valid upload token. Ask for a new one and try again."
)


class TokenAuthenticator:
    """`Authenticator` over the database."""

    def __init__(self, database: Database, settings: ApiSettings) -> None:
        self._database = database
        self._settings = settings

    async def creator(self, request: Request) -> Owner:
        token = bearer_token(request)
        if token is None:
            raise TusError(401, TOKEN_NEEDED)
        async with self._database.read() as session:
            found = await tokens.find(session, token)
        if found is None:
            raise TusError(401, TOKEN_NEEDED)
        return Owner(user_id=found.user_id, team_id=found.team_id, token_hash=found.token_hash)

    async def check(self, request: Request, record: TusRecord | None) -> None:
        token = bearer_token(request)
        if token is not None and await self._opens(token, record):
            return
        try:
            viewer = await load_viewer(request, self._settings, self._database)
        except ApiError as error:
            raise TusError(error.status_code, error.message) from None
        if record is None or not changes(viewer, record.owner.user_id, record.owner.team_id, changed_by=TEAM_OWNERS):
            raise not_found()

    async def _opens(self, token: str, record: TusRecord | None) -> bool:
        """Whether it is the token that created the upload, or another valid one of the same person.

        A page that resumes an upload of an earlier visit has only the latter. If the upload server has another host
        name, it gets no cookies either.
        """
        token_hash = hash_token(token)
        if record is not None and hmac.compare_digest(token_hash, record.owner.token_hash):
            async with self._database.reading.connect() as connection:
                if await tokens.may_continue(connection, token_hash):
                    return True
        async with self._database.read() as session:
            found = await tokens.find(session, token)
            if found is None:
                return False
            if record is None or not is_same_person(record.owner.user_id, found.user_id):
                raise not_found()
            if not await tokens.may_resume(session, record.id):
                raise not_found()
        return True
