from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.content.files.models import FileKind, FileStatus
from api.content.files.schemas import FileJobOut
from api.platform.http.downloads.csv_export import CsvPageQuery
from api.platform.http.limits import EMAIL_MAX, KEYWORD_MAX, LANGUAGE_CODE_MAX, TEAM_NAME_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.paging import PageMeta
from api.platform.http.text import CLEAN_LINE

FAILED_WITHIN_MAX_H = 90 * 24


class ContentSort(StrEnum):
    """A leading minus means descending order. Files of unknown length or size come last."""

    NEWEST = "-created_at"
    OLDEST = "created_at"
    NAME = "name"
    LONGEST = "-duration_ms"
    LARGEST = "-size_bytes"


class ContentQuery(CsvPageQuery):
    """Which files of the whole installation. Several values of one filter mean any of them; none means all.

    `q` is the beginning of a name, or a file's id or slug. `owner` is an address or an id, `team` a name or an id.
    `failed_within_h`: only files that failed in so many hours.
    """

    sort: ContentSort = ContentSort.NEWEST
    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""
    status: list[FileStatus] = Field(default_factory=list)
    kind: list[FileKind] = Field(default_factory=list)
    language: Annotated[str, StringConstraints(max_length=LANGUAGE_CODE_MAX), CLEAN_LINE] = ""
    owner: Annotated[str, StringConstraints(max_length=EMAIL_MAX), CLEAN_LINE] = ""
    team: Annotated[str, StringConstraints(max_length=TEAM_NAME_MAX), CLEAN_LINE] = ""
    in_bin: bool = False
    failed_within_h: int | None = Field(None, ge=1, le=FAILED_WITHIN_MAX_H)


class OwnerOut(BaseModel):
    id: uuid.UUID
    name: str
    email: str


class TeamRef(BaseModel):
    id: uuid.UUID
    name: str


class ContentOut(BaseModel):
    """A file as administrators see it: what it is and how its work stands, never what is in it.

    `queue_place` is 1 for the next job to start and `eta_s` the seconds until it should be done, null when unknown.
    `engine` is in words. `deleted_at` is set while the file is in the bin.
    """

    id: uuid.UUID
    slug: str
    name: str
    kind: FileKind
    status: FileStatus
    progress: int
    phase: str
    queue_place: int | None
    eta_s: int | None
    language: str
    duration_ms: int | None
    size_bytes: int | None
    engine: PageText | None
    error: PageText | None
    error_code: str | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    owner: OwnerOut
    team: TeamRef | None


class ContentDetail(ContentOut):
    """`stored_bytes` adds the exports to the original; `languages` are those of its captions.

    `can_retry`, `can_cancel`, `can_bin` and `can_restore` say which actions the file's state allows.
    """

    filename: str
    width: int | None
    height: int | None
    stored_bytes: int
    exports: int
    languages: list[str]
    engine_note: PageText | None
    can_retry: bool
    can_cancel: bool
    can_bin: bool
    can_restore: bool
    jobs: list[FileJobOut]


class BoundedMeta(PageMeta):
    """`is_more`: more entries match than `total`, the most that are counted."""

    is_more: bool


class ContentPage(BaseModel):
    data: list[ContentOut]
    meta: BoundedMeta
