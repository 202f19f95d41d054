"""What anybody with the link of a live recording may read: its words, and its captions so far as a file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import select

from api.content.captions.models import CaptionLineRow
from api.content.files.models import FileStatus
from api.content.live import queries
from api.content.live.rooms import Rooms
from api.content.live.schemas import WatchLinesOut, WatchOut
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession
from pipelines.captions.forms import registry
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.lines import CaptionLine

router = APIRouter(prefix="/api/watch", tags=["live"])


def rooms_of(request: Request) -> Rooms:
    return cast(Rooms, request.app.state.live_rooms)


class WatchForm(StrEnum):
    """Forms that players read."""

    VTT = "vtt"
    SRT = "srt"


_NUMBER_DIGITS = 12


@router.get("/{token}", responses=error_responses(404, 422))
async def watch_live(token: str, session: ReadSession, after: int = 0) -> Data[WatchOut]:
    """The final words from group `after` on. Those never change."""
    file, live = await queries.watched(session, token)
    words, following = await queries.final_words(session, file, max(0, after))
    return Data(
        data=WatchOut(
            name=file.name,
            language=file.language,
            translations=live.translate_to,
            is_over=file.status != FileStatus.LIVE,
            recorded_ms=live.pieces * PIECE_MS,
            words=words,
            next=following,
        )
    )


@router.get("/{token}/events", responses=error_responses(404, 422, 503))
async def watch_events(request: Request, token: str, after: int = 0, language: str | None = None) -> StreamingResponse:
    """Server-sent events: `words` as they become final, then `over`, or `closed` when the link is.

    Also `languages` when it is translated into others, and with `language` the `lines` of that translation as they come
    or change.

    The id of an event is the `after` of what follows, and a browser that connects again sends it as `Last-Event-ID`.
    """
    last = request.headers.get("last-event-id", "")
    is_number = last.isdecimal() and len(last) <= _NUMBER_DIGITS
    events = rooms_of(request).events(token, int(last) if is_number else max(0, after), language)
    # What refuses the link does so before the answer begins.
    first = await anext(events)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Access-Control-Allow-Origin": "*"}
    return StreamingResponse(_with_first(first, events), media_type="text/event-stream", headers=headers)


async def _with_first(first: str, rest: AsyncIterator[str]) -> AsyncIterator[str]:
    try:
        yield first
        async for event in rest:
            yield event
    finally:
        await rest.aclose()  # type: ignore[attr-defined]


@router.get("/{token}/lines/{language}", responses=error_responses(404, 422))
async def watch_lines(token: str, language: str, session: ReadSession, after: int = 0) -> Data[WatchLinesOut]:
    """The lines of a translation so far. They follow the captions, and so may still change."""
    file, live = await queries.watched(session, token)
    track = await queries.watched_track(session, file, live, language)
    return Data(
        data=WatchLinesOut(lines=[], next=0, count=0)
        if track is None
        else await queries.lines_since(session, track, after)
    )


@router.get("/{token}/captions.{form}", responses=error_responses(404, 422))
async def watch_captions(token: str, form: WatchForm, session: ReadSession, language: str | None = None) -> Response:
    """The captions so far, with what people have corrected, for a player; or a translation of them."""
    file, live = await queries.watched(session, token)
    track = await queries.watched_track(session, file, live, language or file.language)
    lines: list[CaptionLine] = []
    if track is not None:
        columns = (CaptionLineRow.id, CaptionLineRow.start_ms, CaptionLineRow.end_ms, CaptionLineRow.text)
        statement = select(*columns).where(CaptionLineRow.track_id == track.id).order_by(CaptionLineRow.start_ms)
        lines = [
            CaptionLine(str(row.id), row.start_ms, row.end_ms, row.text) for row in await session.execute(statement)
        ]
    content = await asyncio.to_thread(registry.write, CaptionFormat(form), Document(lines, language or file.language))
    headers = {"Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"}
    return Response(content, media_type=registry.MEDIA_TYPES[CaptionFormat(form)], headers=headers)
