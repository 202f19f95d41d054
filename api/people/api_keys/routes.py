"""The API keys of the person who is signed in."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Response

from api.people.api_keys import queries, service
from api.people.api_keys.schemas import ApiKeyOut, MadeApiKey, NewApiKey
from api.people.auth.step_up import StepUp
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/keys", tags=["API keys"])


@router.get("", responses=error_responses(401))
async def list_keys(viewer: SignedIn, session: ReadSession) -> Data[list[ApiKeyOut]]:
    """One's own keys, and those of teams that one owns."""
    return Data(data=await queries.listed(session, viewer))


@router.post("", status_code=201, dependencies=[StepUp], responses=error_responses(401, 403, 409, 419, 422))
async def make_key(body: NewApiKey, viewer: SignedIn, session: WriteSession, response: Response) -> Data[MadeApiKey]:
    """Make a key for the active team, or for oneself. Only this answer holds its secret."""
    response.headers["Cache-Control"] = "no-store"
    return Data(data=await service.make(session, viewer, body))


@router.delete("/{key_id}", status_code=204, responses=error_responses(401, 404))
async def revoke_key(key_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    """End a key at once."""
    await service.revoke(session, viewer, key_id)
