"""REST v1: live recordings, whose sound a program sends."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request

from api.content.live import queries, service, sound
from api.content.live.schemas import LiveOut, LiveTextOut, NewLive, SoundOut, SourceIn, TranslationsIn, WatchLinkIn
from api.people.api_keys.caller import ApiCaller, PacedCaller, requires, requires_paced
from api.people.api_keys.scopes import Scope
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/v1/live", tags=["live"])
TRANSCRIBES = [requires(Scope.TRANSCRIBE)]


@router.post("", status_code=201, dependencies=TRANSCRIBES, responses=error_responses(402, 422, 429))
async def begin_rest_live(body: NewLive, caller: ApiCaller, session: WriteSession, state: State) -> Data[LiveOut]:
    """Begin a recording. It is a file at once, whose captions grow while somebody speaks."""
    return Data(data=queries.described(*await service.begin(session, state.settings, caller.viewer, body)))


@router.get("/{key}", dependencies=TRANSCRIBES, responses=error_responses(404, 422))
async def get_rest_live(key: str, caller: ApiCaller, session: ReadSession, after: int = 0) -> Data[LiveTextOut]:
    """A recording, and its final words from group `after` on. Those never change."""
    file, live = await queries.find(session, caller.viewer, key)
    words, following = await queries.final_words(session, file, max(0, after))
    return Data(data=LiveTextOut(live=queries.described(file, live), words=words, next=following))


@router.put(
    "/{key}/sound/{number}",
    dependencies=[requires_paced(Scope.TRANSCRIBE)],
    responses=error_responses(402, 404, 409, 413, 422, 429),
    openapi_extra={"requestBody": {"content": {"application/octet-stream": {"schema": {"format": "binary"}}}}},
)
async def send_rest_sound(
    key: str, number: int, source: uuid.UUID, request: Request, caller: PacedCaller, state: State
) -> Data[SoundOut]:
    """Send the next half second of sound: mono 16-bit little-endian samples at 16 kHz. The answer says it is kept.

    These calls do not count against the key's calls a minute: nobody may send faster than anybody speaks.
    """
    return Data(data=await sound.keep(state, caller.viewer, key, sound.Piece(number, source, await request.body())))


@router.post("/{key}/source", dependencies=TRANSCRIBES, responses=error_responses(404, 409, 422))
async def take_over_rest_live(key: str, body: SourceIn, caller: ApiCaller, state: State) -> Data[LiveOut]:
    """Let this program send the sound from now on, in place of the one that did."""
    return Data(data=queries.described(*await service.take_over(state, caller.viewer, key, body.source)))


@router.put("/{key}/link", dependencies=TRANSCRIBES, responses=error_responses(404, 422))
async def share_rest_live(key: str, body: WatchLinkIn, caller: ApiCaller, session: WriteSession) -> Data[LiveOut]:
    """Open a link at which anybody may read along without an account, or close it."""
    return Data(data=queries.described(*await service.share(session, caller.viewer, key, is_open=body.is_open)))


@router.put("/{key}/translations", dependencies=TRANSCRIBES, responses=error_responses(402, 404, 409, 422))
async def translate_rest_live(
    key: str, body: TranslationsIn, caller: ApiCaller, session: WriteSession
) -> Data[LiveOut]:
    """Translate the captions into these languages while they are made. What is there in others stays."""
    return Data(data=queries.described(*await service.translate(session, caller.viewer, key, body.translate_to)))


@router.post("/{key}/end", dependencies=TRANSCRIBES, responses=error_responses(404))
async def end_rest_live(key: str, caller: ApiCaller, state: State) -> Data[LiveOut]:
    """No sound follows. The rest is read, and the recording is kept as a file."""
    return Data(data=queries.described(*await service.end(state, caller.viewer, key)))
