"""Live recordings: begin one, send its sound, read what is said, end it."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request

from api.content.live import queries, service, sound
from api.content.live.schemas import LiveOut, LiveTextOut, NewLive, SoundOut, SourceIn, TranslationsIn, WatchLinkIn
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/live", tags=["live"])


@router.post("", status_code=201, responses=error_responses(401, 402, 403, 419, 422, 429))
async def begin_live(body: NewLive, viewer: SignedIn, session: WriteSession, state: State) -> Data[LiveOut]:
    """Begin a recording. It is a file at once, whose captions grow while somebody speaks."""
    return Data(data=queries.described(*await service.begin(session, state.settings, viewer, body)))


@router.get("", responses=error_responses(401))
async def list_live(viewer: SignedIn, session: ReadSession) -> Data[list[LiveOut]]:
    """The recordings that run now, of everybody whose files the viewer sees."""
    return Data(data=[queries.described(*each) for each in await queries.open_ones(session, viewer)])


@router.get("/{key}", responses=error_responses(401, 404, 422))
async def get_live(key: str, viewer: SignedIn, session: ReadSession, after: int = 0) -> Data[LiveTextOut]:
    """A recording, and its final words from group `after` on. Those never change."""
    file, live = await queries.find(session, viewer, key)
    words, following = await queries.final_words(session, file, max(0, after))
    return Data(data=LiveTextOut(live=queries.described(file, live), words=words, next=following))


@router.put(
    "/{key}/sound/{number}",
    responses=error_responses(401, 402, 404, 409, 413, 419, 422, 429),
    openapi_extra={"requestBody": {"content": {"application/octet-stream": {"schema": {"format": "binary"}}}}},
)
async def send_sound(
    key: str, number: int, source: uuid.UUID, request: Request, viewer: SignedIn, state: State
) -> Data[SoundOut]:
    """Send the next half second of sound: mono 16-bit little-endian samples at 16 kHz. The answer says it is kept."""
    return Data(data=await sound.keep(state, viewer, key, sound.Piece(number, source, await request.body())))


@router.post("/{key}/source", responses=error_responses(401, 404, 409, 419, 422))
async def take_over_live(key: str, body: SourceIn, viewer: SignedIn, state: State) -> Data[LiveOut]:
    """Let this page or program send the sound from now on, in place of the one that did."""
    return Data(data=queries.described(*await service.take_over(state, viewer, key, body.source)))


@router.put("/{key}/link", responses=error_responses(401, 404, 419, 422))
async def share_live(key: str, body: WatchLinkIn, viewer: SignedIn, session: WriteSession) -> Data[LiveOut]:
    """Open a link at which anybody may read along without an account, or close it."""
    return Data(data=queries.described(*await service.share(session, viewer, key, is_open=body.is_open)))


@router.put("/{key}/translations", responses=error_responses(401, 402, 404, 409, 419, 422))
async def translate_live(key: str, body: TranslationsIn, viewer: SignedIn, session: WriteSession) -> Data[LiveOut]:
    """Translate the captions into these languages while they are made. What is there in others stays."""
    return Data(data=queries.described(*await service.translate(session, viewer, key, body.translate_to)))


@router.post("/{key}/end", responses=error_responses(401, 404, 419))
async def end_live(key: str, viewer: SignedIn, state: State) -> Data[LiveOut]:
    """No sound follows. The rest is read, and the recording is kept as a file."""
    return Data(data=queries.described(*await service.end(state, viewer, key)))
