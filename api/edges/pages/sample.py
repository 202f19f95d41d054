"""The sample recording, for people who want to try the product before they have a file of their own."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import FileResponse

from api.people.auth.viewer import SignedIn
from api.platform.http.errors import error_responses
from pipelines.media.sample import SAMPLE, SAMPLE_LANGUAGE, SAMPLE_NAME

router = APIRouter(prefix="/api", tags=["uploads"])

_HEADERS = {"Cache-Control": "private, max-age=86400", "Content-Language": SAMPLE_LANGUAGE}


@router.get(
    "/sample",
    response_class=FileResponse,
    responses={200: {"content": {"video/mp4": {}}}, **error_responses(401)},
)
async def read_sample(_viewer: SignedIn) -> FileResponse:
    """A video of a minute in which two people talk. `Content-Language` names what they speak.

    The page uploads it as it would any file, so that it is transcribed, edited and deleted like one.
    """
    return FileResponse(SAMPLE, media_type="video/mp4", filename=SAMPLE_NAME, headers=_HEADERS)
