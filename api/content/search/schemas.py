from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel

from api.content.files.models import FileKind
from api.platform.http.pages.language import PageText


class Part(BaseModel):
    """A piece of an excerpt. `is_hit`: it is what was searched for. The parts in order give the text; never HTML."""

    text: str
    is_hit: bool


class MatchOut(BaseModel):
    """A line that was found. `language` is its track's; `text` is the whole line, `excerpt` what a page shows of it."""

    line: uuid.UUID
    language: str
    language_label: PageText
    is_translation: bool
    start_ms: int
    startTime: str
    text: str
    excerpt: list[Part]


class FoundOut(BaseModel):
    """A file whose name or captions were found. `hits` counts its lines; `matches` has the first of them."""

    id: uuid.UUID
    slug: str
    name: str
    title: list[Part]
    """The name, in parts."""
    kind: FileKind
    team_id: uuid.UUID | None
    duration_ms: int | None
    created_at: datetime
    poster_url: str | None
    hits: int
    matches: list[MatchOut]
