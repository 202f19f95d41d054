"""Wait for a text and answer: as a whole, or as events while windows finish."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import structlog
from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from api.edges.speech import service
from api.edges.speech.errors import error_of
from api.edges.speech.form import SpeechForm
from api.edges.speech.limits import KEEP_ALIVE_S
from api.edges.speech.logprobs import logprobs_of
from api.edges.speech.models import SpeechRequest, SpeechState
from api.edges.speech.rendering import answer_of, segments_of
from api.edges.speech.schemas import DiarizedSegment, StreamUsage
from api.edges.speech.text import joined, text_of, windows_of
from api.edges.speech.waiting import ConnectionClosed, Look, Seat, Waiting
from api.platform.db.engine import DATABASE_AWAY
from api.platform.http.errors import ApiError, Unavailable
from api.platform.http.openai_errors import in_openai_form
from api.platform.http.state import AppState
from api.platform.jobs.job_type import JobTypes
from pipelines.messages.results import TranscribedWindow

EVENTS = "text/event-stream"
DELTA, DONE, ERROR = "transcript.text.delta", "transcript.text.done", "error"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The second tells proxies of nginx's kind to pass events on at once."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Call:
    """A program's call while it waits for the text of one request."""

    state: AppState
    types: JobTypes
    waiting: Waiting
    request_id: uuid.UUID

    async def whole(self, request: Request, form: SpeechForm) -> Response:
        """The text in the form that was asked for. Raises `ApiError` when there is none, and `ConnectionClosed`."""
        async with self._seated(request) as seat:
            while not (look := await _next(seat)).is_over:
                continue
            return await self._answer(look, form)

    async def events(self, request: Request, form: SpeechForm) -> Response:
        """A stream of the text. What fails before transcription begins is an answer of its own: raises as `whole`."""
        stream = self._events(request, form)
        first = await anext(stream)
        return StreamingResponse(_with_first(first, stream), media_type=EVENTS, headers=_HEADERS)

    async def _answer(self, look: Look, form: SpeechForm) -> Response:
        if look.state != SpeechState.DONE:
            raise await self._error()
        async with self.state.database.read() as session:
            text = await text_of(session, await session.get_one(SpeechRequest, self.request_id))
        return await asyncio.to_thread(answer_of, text, form)

    async def _events(self, request: Request, form: SpeechForm) -> AsyncIterator[str]:
        """The first piece comes when transcription has begun, or the request is over."""
        async with self._seated(request) as seat:
            look, sent = await _next(seat), _SentText(form.wants_logprobs)
            while look.parts is None and not look.is_over:
                look = await _next(seat)
            if look.is_over and look.state != SpeechState.DONE:
                raise await self._error()
            yield ": transcribing\n\n"
            while True:
                async with self.state.database.read() as session:
                    windows = await windows_of(session, self.request_id)
                for window in windows:
                    delta = sent.add(window, is_last=look.is_over)
                    if delta is not None:
                        yield _event(DELTA, {"type": DELTA, **delta})
                if look.is_over:
                    break
                newer = await seat.next_look(within_s=KEEP_ALIVE_S)
                while newer is None:
                    yield ": still transcribing\n\n"
                    newer = await seat.next_look(within_s=KEEP_ALIVE_S)
                look = newer
            if look.state == SpeechState.DONE:
                if form.wants_speakers:
                    for segment in await self._segments():
                        yield _event(segment.type, segment.model_dump())
                yield _event(DONE, {"type": DONE, **sent.whole, "usage": (await self._usage()).model_dump()})
            else:
                error = await self._error()
                yield _event(ERROR, in_openai_form(error.body(), error.status_code)[0])

    async def _segments(self) -> list[DiarizedSegment]:
        async with self.state.database.read() as session:
            text = await text_of(session, await session.get_one(SpeechRequest, self.request_id))
        return await asyncio.to_thread(segments_of, text)

    async def _usage(self) -> StreamUsage:
        async with self.state.database.read() as session:
            request = await session.get_one(SpeechRequest, self.request_id)
        return StreamUsage(seconds=-(-(request.duration_ms or 0) // 1000))

    async def _error(self) -> ApiError:
        async with self.state.database.read() as session:
            request = await session.get(SpeechRequest, self.request_id)
        return Unavailable() if request is None else error_of(request)

    @asynccontextmanager
    async def _seated(self, request: Request) -> AsyncIterator[Seat]:
        """Wait in the reader's list. Afterwards the request is stopped, or removed if it is over."""
        leaving = asyncio.create_task(_disconnected(request))
        is_over = False
        try:
            with self.waiting.seat(self.request_id, leaving) as seat:
                try:
                    yield seat
                finally:
                    is_over = seat.look is not None and seat.look.is_over
        finally:
            leaving.cancel()
            # Not in this task: a program that leaves has cancelled it.
            await self.waiting.in_the_end(self._end(is_over=is_over))

    async def _end(self, *, is_over: bool) -> None:
        database = self.state.database
        try:
            if is_over:
                await service.forget(database, self.request_id)
            else:
                await service.stop(database, self.types, self.request_id)
        except DATABASE_AWAY:
            # The job ends by itself, and what is left is removed after a day.
            log.warning("database.unavailable", request_id=str(self.request_id))


@dataclass(slots=True)
class _SentText:
    """What went out, in the order of the sound. A window waits for those before it."""

    with_logprobs: bool
    next_index: int = 0
    text: str = ""
    logprobs: list[Any] = field(default_factory=list)

    def add(self, window: TranscribedWindow, *, is_last: bool) -> dict[str, Any] | None:
        """The fields of an event for new text; None where there is none.

        `is_last`: no window is missing any more, whatever the indexes say.
        """
        if window.index < self.next_index or (window.index > self.next_index and not is_last):
            return None
        self.next_index = window.index + 1
        before, self.text = self.text, joined([self.text, *(segment.text for segment in window.segments)])
        delta = {"delta": self.text[len(before) :]}
        if not delta["delta"]:
            return None
        if not self.with_logprobs:
            return delta
        new = [each.model_dump() for each in logprobs_of(window.segments, before)]
        self.logprobs += new
        return {**delta, "logprobs": new}

    @property
    def whole(self) -> dict[str, Any]:
        return {"text": self.text, **({"logprobs": self.logprobs} if self.with_logprobs else {})}


async def _next(seat: Seat) -> Look:
    look = await seat.next_look()
    assert look is not None
    return look


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue


async def _with_first(first: str, rest: AsyncIterator[str]) -> AsyncIterator[str]:
    try:
        yield first
        async for piece in rest:
            yield piece
    except ConnectionClosed:
        return
    finally:
        await rest.aclose()  # type: ignore[attr-defined]


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
