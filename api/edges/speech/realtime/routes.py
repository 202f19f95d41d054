"""`/v1/realtime`: a websocket that takes sound while somebody speaks and sends the words, as OpenAI's API does.

The sound becomes a live recording of the person whose key it is: a file in the end, with its captions.
"""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from pydantic import StringConstraints

from api.content.live import service
from api.content.live.errors import NO_SESSION
from api.edges.speech.realtime.connection import SESSION, Connection
from api.edges.speech.realtime.reading import read_until_ms
from api.edges.speech.realtime.recording import Recording
from api.edges.speech.realtime.sessions import sessions_of
from api.people.api_keys.caller import Caller, socket_caller
from api.people.api_keys.scopes import Scope
from api.people.auth.attempts import SharedAttempts
from api.platform.http.errors import KNOWN_ERRORS, ApiError, NotFound, as_api_error, render
from api.platform.http.limits import FILE_TITLE_MAX
from api.platform.http.state import AppState, State
from api.platform.http.text import clean_line

PATH = "/v1/realtime"
PROTOCOL = "realtime"
_KEY_PROTOCOL = "openai-insecure-api-key."

router = APIRouter(tags=["speech API"])


@router.websocket(PATH)
async def transcribe_live(
    websocket: WebSocket,
    state: State,
    attempts: SharedAttempts,
    name: Annotated[str | None, Query(max_length=FILE_TITLE_MAX)] = None,
    session: Annotated[str, StringConstraints(max_length=200)] = "",
    after_ms: Annotated[int | None, Query(ge=0)] = None,
) -> None:
    """`name` is that of the recording. `session` goes on with one that was cut off: the items that end after `after_ms`
    of its sound come, again where they came before.
    """
    sessions = sessions_of(websocket)
    secret = _secret(websocket)
    try:
        caller = await socket_caller(websocket, state, attempts, secret, Scope.TRANSCRIBE)
        async with sessions.place(caller.viewer.user_id, state.settings.live_recordings_per_person):
            recording, from_ms, file_id = None, 0, uuid.uuid4()
            if session:
                file_id = _file_id_of(session)
                recording, from_ms = await _resumed(state, caller, file_id, after_ms)
            await websocket.accept(PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None)
            connection = Connection(
                websocket,
                state,
                sessions,
                caller,
                secret,
                file_id,
                name=clean_line(name).strip() or None if name else None,
                recording=recording,
                from_ms=from_ms,
            )
            await connection.run()
    except ApiError as refused:
        await websocket.send_denial_response(render(refused, websocket.scope))
    except KNOWN_ERRORS as error:
        await websocket.send_denial_response(render(as_api_error(error, websocket.scope), websocket.scope))


async def _resumed(state: AppState, caller: Caller, file_id: uuid.UUID, after_ms: int | None) -> tuple[Recording, int]:
    """Raises `NotFound` and `LiveEnded`."""
    source = uuid.uuid4()
    file, live = await service.take_over(state, caller.viewer, str(file_id), source)
    recording = Recording(state, caller.viewer, file.id, file.slug, source, live.pieces)
    return recording, await read_until_ms(state.database, file.id) if after_ms is None else after_ms


def _file_id_of(session_id: str) -> uuid.UUID:
    """Raises `NotFound`."""
    try:
        return uuid.UUID(hex=session_id.removeprefix(SESSION))
    except ValueError:
        raise NotFound(NO_SESSION) from None


def _secret(websocket: WebSocket) -> str:
    """From the header, or from where pages can put it: among the protocols that they offer."""
    scheme, _, credentials = websocket.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return credentials.strip()
    offered: list[str] = websocket.scope["subprotocols"]
    return next((each.removeprefix(_KEY_PROTOCOL) for each in offered if each.startswith(_KEY_PROTOCOL)), "")
