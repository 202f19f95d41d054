from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from api.content.live.models import LiveState
from api.platform.http.limits import FILE_TITLE_MAX, LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE


class NewLive(BaseModel):
    """A new live recording. `source` is an id that the page or program made up for itself."""

    language: str = Field(max_length=LANGUAGE_CODE_MAX)
    source: uuid.UUID
    name: Annotated[str | None, Field(max_length=FILE_TITLE_MAX), CLEAN_LINE] = None
    detects_speakers: bool = False


class SourceIn(BaseModel):
    source: uuid.UUID


class WatchLinkIn(BaseModel):
    """Whether anybody who has the link may read along. Closing it makes the link worthless for good."""

    is_open: bool


class LiveWordOut(BaseModel):
    start_ms: int
    end_ms: int
    text: str


class LiveOut(BaseModel):
    """A live recording. `next_piece` is the number of the piece of sound to send next, each of `piece_ms`.

    `watch_path` is where anybody may read along, null while nobody may.
    `ends_at_ms`: at this length it ends by itself, because of `ends_why` where that is known. `is_kept`: it is a file
    with sound now.
    """

    slug: str
    name: str
    language: str
    state: LiveState
    is_kept: bool
    next_piece: int
    piece_ms: int
    recorded_ms: int
    ends_at_ms: int
    ends_why: PageText | None
    began_at: datetime
    watch_path: str | None
    error: PageText | None


class LiveTextOut(BaseModel):
    """The final words from group `after` on. `next` is the `after` of the next call."""

    live: LiveOut
    words: list[LiveWordOut]
    next: int


class WatchOut(BaseModel):
    """What somebody with the link sees: the final words from group `after` on. `next` is the `after` of the next call.

    `is_over`: no more will come.
    """

    name: str
    language: str
    is_over: bool
    recorded_ms: int
    words: list[LiveWordOut]
    next: int


class SoundOut(BaseModel):
    """The piece is kept, and nothing can lose it. `next_piece` is the one to send next."""

    next_piece: int
    ends_at_ms: int
    ends_why: PageText | None
