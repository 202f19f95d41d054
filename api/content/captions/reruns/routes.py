"""Transcribe lines again and choose what to keep."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from fastapi.responses import Response

from api.content.captions.reruns import service
from api.content.captions.reruns.schemas import Decision, NewRerun, RerunOut
from api.content.captions.saved_answer import saved
from api.content.captions.schemas import SaveAnswer
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/files/captions", tags=["captions"])


@router.get("/{key}/rerun", responses=error_responses(401, 404))
async def get_rerun(key: str, viewer: SignedIn, session: ReadSession) -> Data[RerunOut]:
    """How far it is, and once it is done, each line that would change: as it was, as it is and as found now."""
    return Data(data=await service.read(session, viewer, key))


@router.post("/{key}/rerun", status_code=202, responses=error_responses(401, 402, 404, 409, 419, 422))
async def start_rerun(key: str, body: NewRerun, viewer: SignedIn, session: WriteSession) -> Data[RerunOut]:
    """Transcribe lines, or the whole file, again. The captions change only by what is chosen afterwards."""
    return Data(data=await service.start(session, viewer, key, body))


@router.delete("/{key}/rerun", responses=error_responses(401, 404, 419))
async def dismiss_rerun(key: str, viewer: SignedIn, session: WriteSession) -> Data[RerunOut]:
    """Keep every line as it is."""
    return Data(data=await service.dismiss(session, viewer, key))


@router.post("/{key}/rerun/cancel", responses=error_responses(401, 404, 409, 419))
async def cancel_rerun(key: str, viewer: SignedIn, session: WriteSession, types: Types) -> Data[RerunOut]:
    return Data(data=await service.cancel(session, types, viewer, key))


@router.post(
    "/{key}/rerun/decision", response_model=SaveAnswer, responses=error_responses(401, 404, 409, 419, 422, 429)
)
async def decide_rerun(key: str, body: Decision, viewer: SignedIn, state: State) -> Response:
    """Take what was chosen for each line, as one change that undo takes back."""
    change = await service.decide(state.database, viewer, key, body)
    return await asyncio.to_thread(saved, change)
