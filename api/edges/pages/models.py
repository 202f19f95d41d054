"""The models of this installation, for pages."""

from __future__ import annotations

from fastapi import APIRouter

from api.people.auth.viewer import SignedIn
from api.platform.capabilities import queries
from api.platform.capabilities.advice import in_words_for
from api.platform.capabilities.schemas import ModelOut, describe
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession

router = APIRouter(prefix="/api", tags=["models"])


@router.get("/models", responses=error_responses(401))
async def list_models(viewer: SignedIn, session: ReadSession) -> Data[list[ModelOut]]:
    """One entry for each kind of task."""
    found = await queries.capabilities(session)
    return Data(data=[describe(in_words_for(each, is_admin=viewer.is_admin)) for each in found])
