"""The version history of captions."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response

from api.content.captions.chosen_track import Language
from api.content.captions.saved_answer import saved
from api.content.captions.schemas import SaveAnswer
from api.content.captions.versions import service
from api.content.captions.versions.schemas import CaptionVersionLinesOut, CaptionVersionsOut, NewSnapshot, Restoration
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/files/captions", tags=["captions"])

Number = Annotated[int, Path(ge=0, le=2_000_000_000)]


@router.get("/{key}/versions", responses=error_responses(401, 404, 422))
async def list_versions(
    key: str, viewer: SignedIn, session: ReadSession, language: Language = None
) -> Data[CaptionVersionsOut]:
    """Who changed the captions when, newest first, with the versions that have a name."""
    return Data(data=await service.versions(session, viewer, key, language))


@router.post("/{key}/versions", status_code=201, responses=error_responses(401, 404, 419, 422))
async def keep_version(
    key: str, body: NewSnapshot, viewer: SignedIn, session: WriteSession
) -> Data[CaptionVersionsOut]:
    """Keep the present captions under a name, however many changes follow."""
    return Data(data=await service.keep(session, viewer, key, body))


@router.get("/{key}/versions/{version}", responses=error_responses(401, 404, 422))
async def get_version(
    key: str, version: Number, viewer: SignedIn, session: ReadSession, language: Language = None
) -> Data[CaptionVersionLinesOut]:
    return Data(data=await service.lines_of_version(session, viewer, key, version, language))


@router.delete("/{key}/versions/{version}", responses=error_responses(401, 404, 419, 422))
async def forget_version(
    key: str, version: Number, viewer: SignedIn, session: WriteSession, language: Language = None
) -> Data[CaptionVersionsOut]:
    """Remove the name of a version. Its lines can be restored as long as the history of changes reaches back to it."""
    return Data(data=await service.forget(session, viewer, key, version, language))


@router.post(
    "/{key}/versions/{version}/restore",
    response_model=SaveAnswer,
    responses=error_responses(401, 404, 409, 419, 422, 429),
)
async def restore_version(key: str, version: Number, body: Restoration, viewer: SignedIn, state: State) -> Response:
    """Restore a version or some of its lines, as one change that undo takes back."""
    change = await service.restore(state.database, viewer, key, version, body)
    return await asyncio.to_thread(saved, change)
