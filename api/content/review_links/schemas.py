from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from api.content.files.models import FileKind
from api.content.files.schemas import PlaybackOut
from api.people.reviewers.models import ReviewRights
from api.platform.http.limits import CAPTION_TEXT_MAX, LANGUAGE_CODE_MAX, PASSWORD_MAX, TOKEN_MAX
from api.platform.http.text import CLEAN_LINE

DAYS_MAX = 365
REVIEWER_NAME_MAX = 80
LINK_PASSWORD_MIN = 6

ReviewerName = Annotated[str, StringConstraints(min_length=1, max_length=REVIEWER_NAME_MAX), CLEAN_LINE]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=TOKEN_MAX)]


class NewReviewLink(BaseModel):
    """`days` until it stops working. With a `password`, whoever opens it needs that too."""

    rights: ReviewRights
    days: int = Field(14, ge=1, le=DAYS_MAX)
    password: Annotated[str, StringConstraints(min_length=LINK_PASSWORD_MIN, max_length=PASSWORD_MAX)] | None = None


class ReviewerOut(BaseModel):
    """Somebody who opened the link, under the name they gave."""

    name: str
    entered_at: datetime
    seen_at: datetime


class ReviewLinkOut(BaseModel):
    """`url` is None where the link cannot be shown: to support, and after the key of the installation changed.

    `state` is `maker_gone` while whoever made it may not change the file. `by` is None when their account is gone.
    """

    id: uuid.UUID
    url: str | None
    rights: ReviewRights
    has_password: bool
    state: Literal["open", "expired", "revoked", "maker_gone"]
    by: str | None
    created_at: datetime
    expires_at: datetime
    reviewers: list[ReviewerOut]


class LinkSecret(BaseModel):
    """What the link has behind its `#`."""

    secret: Secret


class ReviewInvitation(BaseModel):
    """What somebody learns before they say who they are. `file` is its name; with a password they need that first."""

    rights: ReviewRights
    by: str
    file: str | None
    needs_password: bool
    expires_at: datetime


class ReviewEntry(LinkSecret):
    name: ReviewerName
    password: Annotated[str, StringConstraints(max_length=PASSWORD_MAX)] | None = None


class ReviewLanguage(BaseModel):
    """Captions of the file in one language. `is_source`: they are those of what was said."""

    language: str
    is_source: bool


class FileReview(BaseModel):
    """A file under review, for the page of the reviewer, whose name is `name`."""

    name: str
    by: str
    rights: ReviewRights
    expires_at: datetime
    file: str
    kind: FileKind
    duration_ms: int | None
    width: int | None
    height: int | None
    playback: PlaybackOut
    has_poster: bool
    is_live: bool
    languages: list[ReviewLanguage]


class ReviewLine(BaseModel):
    """`original` is the text that a line of a translation translates. `revision` is that of the line."""

    id: uuid.UUID
    start_ms: int
    end_ms: int
    text: str
    speaker: str | None
    original: str | None
    locked: bool
    revision: int


class ReviewCaptions(BaseModel):
    """The captions in one language. `lines` is None when nothing changed since the revision of the call."""

    language: str
    revision: int
    lines: list[ReviewLine] | None


class ReviewEdit(BaseModel):
    """Another text for a line. `issued` is the newest revision the page has seen; `command` is the id of this change:
    a repeat after a lost answer changes nothing.
    """

    line: uuid.UUID
    text: Annotated[str, Field(max_length=CAPTION_TEXT_MAX)]
    issued: int = Field(ge=0)
    command: uuid.UUID
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)


class ReviewSaved(BaseModel):
    revision: int
    lines: list[ReviewLine]
