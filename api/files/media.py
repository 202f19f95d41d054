"""The bytes of a file: playback copy or original, poster and waveform peaks. Ranges are answered by the framework."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import FileResponse

from api.auth.viewer import SignedIn
from api.files import queries
from api.http.downloads import attachment
from api.http.errors import Conflict, NotFound, error_responses
from api.http.state import ReadSession, State

router = APIRouter(prefix="/api/files", tags=["media"])

# Objects are never changed under a key that a browser has seen, but the same URL may serve a newer key later.
CACHE = {"Cache-Control": "private, max-age=0, must-revalidate"}

NOT_READY = "The video is still being prepared for playing. It will be here in a moment."


def _object(state: State, key: str | None, media_type: str) -> FileResponse:
    if key is None or not state.storage.exists(key):
        raise NotFound
    return FileResponse(state.storage.open_path(key), media_type=media_type, headers=CACHE)


@router.get("/{slug}/media", response_class=FileResponse, responses=error_responses(401, 404, 409))
async def media(slug: str, viewer: SignedIn, session: ReadSession, state: State) -> FileResponse:
    file = await queries.find(session, viewer, slug)
    if file.playback_key is not None:
        mime = file.facts.get("playback_mime") or ("audio/mp4" if file.kind == "audio" else "video/mp4")
        return _object(state, file.playback_key, str(mime))
    if not file.plays_in_browser:
        raise Conflict(NOT_READY)
    return _object(state, file.original_key, str(file.facts.get("mime") or "application/octet-stream"))


@router.get("/{slug}/poster", response_class=FileResponse, responses=error_responses(401, 404))
async def poster(slug: str, viewer: SignedIn, session: ReadSession, state: State) -> FileResponse:
    return _object(state, (await queries.find(session, viewer, slug)).poster_key, "image/jpeg")


@router.get("/{slug}/peaks", response_class=FileResponse, responses=error_responses(401, 404))
async def peaks(slug: str, viewer: SignedIn, session: ReadSession, state: State) -> FileResponse:
    return _object(state, (await queries.find(session, viewer, slug)).peaks_key, "application/json")


@router.get("/{slug}/original", response_class=FileResponse, responses=error_responses(401, 404))
async def original(slug: str, viewer: SignedIn, session: ReadSession, state: State) -> FileResponse:
    file = await queries.find(session, viewer, slug)
    answer = _object(state, file.original_key, "application/octet-stream")
    answer.headers["Content-Disposition"] = attachment(file.filename)
    return answer
