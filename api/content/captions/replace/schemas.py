from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.platform.http.limits import LANGUAGE_CODE_MAX, SEARCH_TEXT_MAX
from api.platform.http.pages.language import PageText

FILES_MAX = 200
"""Files of one call."""
SLUG_MAX = 64

Slug = Annotated[str, StringConstraints(min_length=1, max_length=SLUG_MAX)]


class _Terms(BaseModel):
    """`is_pattern`: `query` is a regular expression of RE2, and `$1` in the replacement is its first group."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=SEARCH_TEXT_MAX)]
    replacement: Annotated[str, StringConstraints(max_length=SEARCH_TEXT_MAX)] = ""
    match_case: bool = False
    whole_word: bool = False
    is_pattern: bool = False


class ReplaceQuery(_Terms):
    """What to look for, and in which files; without `slugs`, in all files that one may change."""

    slugs: Annotated[list[Slug], Field(max_length=FILES_MAX)] | None = None


class ReplaceTarget(BaseModel):
    """One track: the captions of a file in a language."""

    slug: Slug
    language: Annotated[str, StringConstraints(min_length=1, max_length=LANGUAGE_CODE_MAX)]


class ReplaceIn(_Terms):
    """What to replace, and in which captions."""

    targets: Annotated[list[ReplaceTarget], Field(min_length=1, max_length=FILES_MAX)]


class ReplaceExample(BaseModel):
    line: uuid.UUID
    start_ms: int
    before: str
    after: str


class ReplaceOut(ReplaceTarget):
    """What would change in a track: `matches` in `lines`, and the first of them."""

    name: str
    matches: int
    lines: int
    examples: list[ReplaceExample]


class ReplacePreview(BaseModel):
    """`is_whole` is false when there were more captions than one call reads: name files then."""

    tracks: list[ReplaceOut]
    is_whole: bool


class ReplaceResult(ReplaceTarget):
    """What was done in a track. Undo takes back the change `revision`; `error` says why nothing was done."""

    matches: int
    lines: int
    revision: int | None
    error: PageText | None
