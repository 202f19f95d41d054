"""A live recording's final words as WebVTT in HLS: a playlist that grows, and segments that never change.

Sources: RFC 8216, section 3.5 (WebVTT segments) and 4.3.3 (media playlists). A stream names the playlist in its own one
by `EXT-X-MEDIA` with `TYPE=SUBTITLES`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileStatus
from api.content.live import queries
from api.content.live.errors import NO_SEGMENT
from api.content.live.models import LiveSession
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import ReadSession
from pipelines.captions.forms import registry
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.line_builder import lines_from_segments
from pipelines.languages import whisper_code
from pipelines.media.sound.journal import PIECE_MS
from pipelines.messages.caption_rules import rules_for
from serve.tasks.transcription.messages import Segment, Word

router = APIRouter(prefix="/api/watch", tags=["live"])

SEGMENT_MS = 6_000
LISTED = 100
"""Segments of a playlist that still grows: ten minutes to go back."""
MPEGTS_MAX = 2**33 - 1
"""The clock of a transport stream has 33 bits, at 90 kHz."""
_ANYWHERE = {"Access-Control-Allow-Origin": "*"}

Mpegts = Annotated[int, Query(ge=0, le=MPEGTS_MAX, description="Clock of the stream where the recording begins.")]
Number = Annotated[int, Path(ge=0, le=10**6)]


@router.get("/{token}/captions.m3u8", responses=error_responses(404, 422))
async def live_playlist(token: str, session: ReadSession, mpegts: Mpegts = 0) -> Response:
    """A media playlist of WebVTT segments, for a player or the playlist of a stream."""
    file, live = await queries.watched(session, token)
    count = await _count(session, file, live)
    is_over = file.status != FileStatus.LIVE
    first = 0 if is_over else max(0, count - LISTED)
    lines = [
        *("#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{SEGMENT_MS // 1000}"),
        f"#EXT-X-MEDIA-SEQUENCE:{first}",
    ]
    for number in range(first, count):
        lines += [f"#EXTINF:{SEGMENT_MS / 1000:.3f},", f"hls/{number}.vtt" + (f"?mpegts={mpegts}" if mpegts else "")]
    if is_over:
        lines.append("#EXT-X-ENDLIST")
    headers = {"Cache-Control": "no-store", **_ANYWHERE}
    return Response("\n".join(lines) + "\n", media_type="application/vnd.apple.mpegurl", headers=headers)


@router.get("/{token}/hls/{number}.vtt", responses=error_responses(404, 422))
async def live_segment(token: str, number: Number, session: ReadSession, mpegts: Mpegts = 0) -> Response:
    """The captions of six seconds, made of the words that end in them."""
    file, live = await queries.watched(session, token)
    if number >= await _count(session, file, live):
        raise NotFound(NO_SEGMENT)
    begins_ms = number * SEGMENT_MS
    words = await queries.words_between(session, file, begins_ms, begins_ms + SEGMENT_MS)
    content = await asyncio.to_thread(_webvtt, words, file.language, mpegts)
    # It never changes, so that a cache in front of us may serve any number of readers.
    headers = {"Cache-Control": "public, max-age=86400, immutable", **_ANYWHERE}
    return Response(content, media_type=registry.MEDIA_TYPES[CaptionFormat.VTT], headers=headers)


async def _count(session: AsyncSession, file: File, live: LiveSession) -> int:
    """How many segments there are: those whose words are final, and all once the recording is over."""
    if file.status != FileStatus.LIVE:
        return -(-live.pieces * PIECE_MS // SEGMENT_MS)
    return await queries.final_until_ms(session, file) // SEGMENT_MS


def _webvtt(words: Sequence[Word], language: str, mpegts: int) -> bytes:
    segments = []
    if words:
        text = " ".join(word.text for word in words)
        spoken = Segment(words[0].start_ms, words[-1].end_ms, text, tuple(words), whisper_code(language) or "")
        segments.append(spoken)
    lines = lines_from_segments(segments, rules_for(language), language)
    content = registry.write(CaptionFormat.VTT, Document(lines, language))
    clock = f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:{mpegts}\n".encode()
    return content.replace(b"WEBVTT\n", clock, 1)
