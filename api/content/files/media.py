"""The bytes of a file: playback copy or original, poster, waveform and spectrogram."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files import playback, queries
from api.content.files.models import File
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.errors import Conflict, error_responses
from api.platform.http.state import ReadSession, State
from api.platform.http.stored import OBJECT_RESPONSES, send_compressed, send_object
from cluster.storage.objects import Storage
from cluster.wording.message import Message

NOT_SCANNED = Message("files.not_scanned", "The virus scanner has not passed this file, so nobody can download it.")

router = APIRouter(prefix="/api/files", tags=["media"])


@router.get("/{slug}/media", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(401, 404, 409))
async def media(slug: str, viewer: SignedIn, session: ReadSession, state: State, request: Request) -> Response:
    return await send_media(request, session, state.storage, await queries.find(session, viewer, slug))


async def send_media(request: Request, session: AsyncSession, storage: Storage, file: File) -> Response:
    """What browsers play of a file. Raises `Conflict` while that is being made, and where it could not be."""
    if file.playback_key is not None:
        mime = file.facts.get("playback_mime") or ("audio/mp4" if file.kind == "audio" else "video/mp4")
        return await send_object(request, session, storage, file.playback_key, media_type=str(mime), by_link=True)
    if not file.plays_in_browser:
        playback.require_playable(file, await playback.encoding_of(session, file))
    mime = str(file.facts.get("mime") or "application/octet-stream")
    return await send_object(request, session, storage, file.original_key, media_type=mime, by_link=True)


@router.get("/{slug}/poster", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(401, 404))
async def poster(slug: str, viewer: SignedIn, session: ReadSession, state: State, request: Request) -> Response:
    file = await queries.find(session, viewer, slug)
    return await send_object(request, session, state.storage, file.poster_key, media_type="image/jpeg")


@router.get("/{slug}/peaks", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(401, 404))
async def peaks(slug: str, viewer: SignedIn, session: ReadSession, state: State, request: Request) -> Response:
    file = await queries.find(session, viewer, slug)
    return await send_compressed(request, session, state.storage, file.peaks_key, media_type="application/json")


@router.get("/{slug}/spectrogram", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(401, 404))
async def spectrogram(slug: str, viewer: SignedIn, session: ReadSession, state: State, request: Request) -> Response:
    """64 bytes for each 25 ms of sound, so that a range of bytes is a range of time."""
    file = await queries.find(session, viewer, slug)
    return await send_object(
        request, session, state.storage, file.spectrogram_key, media_type="application/octet-stream"
    )


@router.get(
    "/{slug}/original", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(401, 404, 409)
)
async def original(slug: str, viewer: SignedIn, session: ReadSession, state: State, request: Request) -> Response:
    file = await queries.find(session, viewer, slug)
    # What preparation found out is there only once the scanner has passed the file.
    if state.settings.clamd is not None and not file.facts:
        raise Conflict(NOT_SCANNED)
    return await send_object(
        request,
        session,
        state.storage,
        file.original_key,
        media_type="application/octet-stream",
        disposition=attachment(file.filename),
        by_link=True,
    )
