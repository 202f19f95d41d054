"""Find and replace over many files."""

from __future__ import annotations

from fastapi import APIRouter

from api.content.captions.replace import service as replace
from api.content.captions.replace.schemas import ReplaceIn, ReplacePreview, ReplaceQuery, ReplaceResult
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State

router = APIRouter(prefix="/api/captions/replace", tags=["captions"])


@router.post("/preview", responses=error_responses(401, 419, 422))
async def preview_replacement(body: ReplaceQuery, viewer: SignedIn, session: ReadSession) -> Data[ReplacePreview]:
    """What would change in each track. Nothing does."""
    return Data(data=await replace.preview(session, viewer, body))


@router.post("", responses=error_responses(401, 419, 422, 429))
async def replace_in_captions(body: ReplaceIn, viewer: SignedIn, state: State) -> Data[list[ReplaceResult]]:
    """Replace in the chosen captions, in each as one change that undo takes back."""
    return Data(data=await replace.apply(state.database, viewer, body))
