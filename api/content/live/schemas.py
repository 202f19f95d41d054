from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from api.content.live.models import LiveState
from api.platform.http.limits import FILE_TITLE_MAX, LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE

TRANSLATIONS_MAX = 5
"""Each takes a model's time while somebody speaks."""
Languages = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=LANGUAGE_CODE_MAX)]], Field(max_length=TRANSLATIONS_MAX)
]


class NewLive(BaseModel):
    """A new live recording. `source` is an id that the page or program made up for itself.

    Its captions are translated into the languages of `translate_to` while it is made.
    """

    language: str = Field(max_length=LANGUAGE_CODE_MAX)
    source: uuid.UUID
    name: Annotated[str | None, Field(max_length=FILE_TITLE_MAX), CLEAN_LINE] = None
    detects_speakers: bool = False
    translate_to: Languages = []


class SourceIn(BaseModel):
    source: uuid.UUID


class TranslationsIn(BaseModel):
    """The languages into which the captions are translated from now on, in place of those before."""

    translate_to: Languages


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
    `ends_at_ms`: at this length it ends by itself, because of `ends_why` where that is known. `is_over`: nothing
    more comes. `is_kept`: it is a file with sound now.
    """

    slug: str
    name: str
    language: str
    state: LiveState
    is_over: bool
    is_kept: bool
    next_piece: int
    piece_ms: int
    recorded_ms: int
    ends_at_ms: int
    ends_why: PageText | None
    began_at: datetime
    translate_to: list[str]
    watch_path: str | None
    error: PageText | None


class LiveTextOut(BaseModel):
    """The final words from group `after` on. `next` is the `after` of the next call."""

    live: LiveOut
    words: list[LiveWordOut]
    next: int


class WatchOut(BaseModel):
    """What somebody with the link sees: the final words from group `after` on. `next` is the `after` of the next call.

    `is_over`: no more will come. `translations`: the languages that it is translated into.
    """

    name: str
    language: str
    translations: list[str]
    is_over: bool
    recorded_ms: int
    words: list[LiveWordOut]
    next: int


class WatchLineOut(BaseModel):
    id: uuid.UUID
    start_ms: int
    end_ms: int
    text: str


class WatchLinesOut(BaseModel):
    """The lines of a translation that are new or have changed since `after`. `next` is the `after` of the next call.

    `count` are all lines that there are: who then has another number holds some that are gone, and begins with 0 again.
    """

    lines: list[WatchLineOut]
    next: int
    count: int


class SoundOut(BaseModel):
    """The piece is kept, and nothing can lose it. `next_piece` is the one to send next."""

    next_piece: int
    ends_at_ms: int
    ends_why: PageText | None
