"""One session from its opening to its end: what its program sends, and what it is told."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress

import structlog
from fastapi import WebSocket, WebSocketDisconnect
from starlette import status
from starlette.websockets import WebSocketDisconnected

from api.content.live import service
from api.content.live.errors import LiveEnded
from api.content.live.schemas import NewLive
from api.edges.speech.errors import BadCall
from api.edges.speech.realtime.client_events import problem_of, read_event
from api.edges.speech.realtime.configuration import checked_language, hints_of, updated
from api.edges.speech.realtime.items import Items
from api.edges.speech.realtime.pieces import Pieces, samples_of
from api.edges.speech.realtime.reading import News, Reader
from api.edges.speech.realtime.recording import Recording
from api.edges.speech.realtime.schemas import (
    Append,
    Clear,
    Cleared,
    ClientEvent,
    Commit,
    ServerEvent,
    SessionEvent,
    SessionIn,
    SessionOut,
    SessionUpdate,
)
from api.edges.speech.realtime.sessions import RealtimeSessions
from api.people.api_keys.caller import Caller, identified
from api.platform.db.engine import DATABASE_AWAY
from api.platform.http.errors import KNOWN_ERRORS, ApiError, Conflict, as_api_error
from api.platform.http.state import AppState
from cluster.background import end
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.live import PAUSE_MS

log = structlog.get_logger(__name__)

SESSION = "sess_"
"""How the id of a session begins. The rest is that of its file."""
LOOK_EVERY_S = 0.2
KEY_AGAIN_S = 60.0
"""So often the key is looked up again: one that is revoked ends its sessions."""
PROBLEMS_MAX = 20
"""A program that sends so much of what makes no sense is shown out."""
BUFFER_EMPTY = "There is no sound since the last item to commit."
KEPT_ALREADY = "Sound that came is kept, and part of the recording. It cannot be cleared: commit it."
IS_FIXED = "The recording has begun, so this stays as it is. Open another session for other settings."
OVER = "The recording has ended."


class Connection:
    def __init__(
        self,
        websocket: WebSocket,
        state: AppState,
        sessions: RealtimeSessions,
        caller: Caller,
        secret: str,
        file_id: uuid.UUID,
        *,
        name: str | None,
        recording: Recording | None = None,
        from_ms: int = 0,
    ) -> None:
        """With `recording` it goes on with one; what was said before `from_ms` is no part of it."""
        self._websocket = websocket
        self._state = state
        self._sessions = sessions
        self._caller = caller
        self._secret = secret
        self._name = name
        self._recording = recording
        self._from_ms = from_ms
        self._file_id = file_id
        self._configured = SessionIn()
        self._pieces: Pieces | None = None
        self._items: Items | None = None
        self._reader: Reader | None = None
        self._has_new = False
        """Whether sound came since the last commit."""
        self._expires_at: int | None = None
        self._problems = 0
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Until its program leaves, or nothing follows."""
        await self._send([SessionEvent(type="session.created", session=self._described())])
        receiving = asyncio.create_task(self._receive())
        looking = asyncio.create_task(self._look())
        try:
            await asyncio.wait({receiving, looking}, return_when=asyncio.FIRST_COMPLETED)
            has_left = receiving.done()
            if has_left and isinstance(receiving.exception(), LiveEnded):
                # Its last words are still being read.
                await asyncio.wait({looking})
                has_left = False
        finally:
            # From here on nobody else uses the sound that waits.
            await end(*(task for task in (receiving, looking) if not task.done()))
        error = receiving.exception() if has_left else looking.exception()
        if error is not None:
            await self._fail(error)
        elif has_left:
            await self._left(receiving.result())
        else:
            await self._close(looking.result())

    # What the program sends.

    async def _receive(self) -> int:
        """The code with which the program has left."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return int(message.get("code") or status.WS_1005_NO_STATUS_RCVD)
            text = message.get("text")
            try:
                await self._take(read_event(text))
            except BadCall as refused:
                self._problems += 1
                if self._problems >= PROBLEMS_MAX:
                    raise
                await self._send([problem_of(refused, text)])

    async def _take(self, event: ClientEvent) -> None:
        match event:
            case SessionUpdate():
                await self._update(event)
            case Append():
                await self._append(samples_of(event.audio))
            case Commit():
                await self._commit()
            case Clear():
                if self._has_new:
                    raise BadCall(KEPT_ALREADY)
                await self._send([Cleared()])

    async def _update(self, event: SessionUpdate) -> None:
        wanted = updated(self._configured, event.session.model_dump(exclude_unset=True))
        if self._items is not None and wanted != self._configured:
            raise BadCall.field("session", IS_FIXED)
        try:
            async with self._state.database.read() as session:
                await checked_language(session, wanted)
        except ApiError as refused:
            # Another model or language can still be set.
            raise BadCall(refused.message, errors=refused.errors) from None
        self._configured = wanted
        await self._send([SessionEvent(type="session.updated", session=self._described())])
        if self._recording is not None:
            await self._begin()

    async def _append(self, pcm: bytes) -> None:
        if not pcm:
            return
        recording, pieces = await self._begin()
        pieces.add(pcm)
        self._has_new = True
        await recording.keep(pieces.whole())

    async def _commit(self) -> None:
        if not self._has_new:
            raise BadCall(BUFFER_EMPTY)
        recording, pieces = await self._begin()
        until_ms = recording.kept_ms + pieces.waiting_ms
        detection = self._configured.audio.input.turn_detection
        # Its last word must not touch the pause.
        pieces.pause((PAUSE_MS if detection is None else detection.silence_duration_ms) + PIECE_MS)
        self._has_new = False
        assert self._items is not None
        await self._send(self._items.commit(until_ms))
        await recording.keep(pieces.whole())

    async def _begin(self) -> tuple[Recording, Pieces]:
        """The recording begins with the first sound. Raises what makes that impossible."""
        if self._recording is None:
            source = uuid.uuid4()
            async with self._state.database.write() as session:
                language = await checked_language(session, self._configured)
                new = NewLive(language=language, source=source, name=self._name)
                hints = hints_of(self._configured)
                settings, viewer = self._state.settings, self._caller.viewer
                file, _ = await service.begin(session, settings, viewer, new, hints, self._file_id)
            self._recording = Recording(self._state, viewer, file.id, file.slug, source, pieces=0)
            log.info("realtime.begun", slug=file.slug)
        if self._items is None:
            self._items = Items(
                by_pauses=self._configured.audio.input.turn_detection is not None,
                with_logprobs=bool(self._configured.include),
                from_ms=self._from_ms,
            )
            self._reader = Reader(self._state.database, self._recording.file_id)
            await self._send([SessionEvent(type="session.updated", session=self._described())])
        if self._pieces is None:
            self._pieces = await asyncio.to_thread(Pieces)
        return self._recording, self._pieces

    # What it is told.

    async def _look(self) -> str:
        """Tell what is new, until nothing follows. Returns why, as a sentence."""
        key_known_at = opened_at = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                if time.monotonic() - key_known_at > KEY_AGAIN_S:
                    await identified(self._websocket, self._state, self._secret, is_changing=True)
                    key_known_at = time.monotonic()
                news = None if self._reader is None else await self._reader.next()
            except DATABASE_AWAY:
                log.warning("database.unavailable")
                continue
            if self._items is None:
                if time.monotonic() - opened_at > self._state.settings.live_silence_minutes * 60:
                    return OVER
            elif news is not None:
                await self._tell(news, self._items)
                if news.is_over:
                    return news.why or OVER

    async def _tell(self, news: News, items: Items) -> None:
        await self._send(news.events(items))
        if news.left_ms is not None and self._expires_at is None:
            self._expires_at = int(time.time()) + news.left_ms // 1000
            await self._send([SessionEvent(type="session.updated", session=self._described())])
        if news.is_over:
            error = problem_of(Conflict(news.why or OVER)).error
            await self._send(items.fail(error) if news.has_failed else items.finish())

    async def _send(self, events: Iterable[ServerEvent]) -> None:
        async with self._sending:
            # All of them before the first is sent: meanwhile another task may look at the items.
            for event in list(events):
                said = {"event_id": f"event_{uuid.uuid4().hex}", **event.model_dump(mode="json", exclude_none=False)}
                # Who is gone is told nothing, but what they sent before is still in the connection.
                with suppress(WebSocketDisconnect, WebSocketDisconnected):
                    await self._websocket.send_json(said)

    def _described(self) -> SessionOut:
        recording = self._recording
        return SessionOut(
            **self._configured.model_dump(),
            id=f"{SESSION}{self._file_id.hex}",
            kept_ms=0 if recording is None else recording.kept_ms,
            recording=None if recording is None else recording.slug,
            expires_at=self._expires_at,
        )

    # How it ends.

    async def _left(self, code: int) -> None:
        """The program has closed the connection, or was cut off, which uvicorn calls 1005. Then it may come back."""
        recording, pieces = self._recording, self._pieces
        if recording is None:
            return

        async def end_recording() -> None:
            await recording.end(() if pieces is None else pieces.rest())

        if code == status.WS_1000_NORMAL_CLOSURE:
            await end_recording()
        else:
            log.info("realtime.cut_off", slug=recording.slug, code=code)
            self._sessions.end_later(end_recording)

    async def _close(self, why: str) -> None:
        await self._send([problem_of(Conflict(why))])
        await self._websocket.close(status.WS_1000_NORMAL_CLOSURE)

    async def _fail(self, error: BaseException) -> None:
        """Say what made it impossible to go on.

        Where database or store are away, the program may come back, with the sound that was not kept. Otherwise what
        was recorded ends, and is kept.
        """
        is_away = isinstance(error, KNOWN_ERRORS)
        if isinstance(error, KNOWN_ERRORS):
            error = as_api_error(error, self._websocket.scope)
        if not isinstance(error, ApiError):
            raise error
        await self._send([problem_of(error)])
        code = status.WS_1013_TRY_AGAIN_LATER if is_away else status.WS_1008_POLICY_VIOLATION
        await self._websocket.close(code)
        await self._left(code if is_away else status.WS_1000_NORMAL_CLOSURE)
