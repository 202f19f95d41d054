from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from api.content.arrivals.models import UploadStatus
from api.content.arrivals.transitions import SET_BY_BROWSER
from api.content.uploads.names import clean_text
from api.platform.http.pages.language import PageText
from cluster.wording.message import Message
from pipelines.languages import AUTO, is_known

LONGEST_NAME = 4096
LONGEST_URL = 2048
LARGEST = 2**53


def _known_language(code: str) -> str:
    if code != AUTO and not is_known(code):
        raise ValueError(
            Message("uploads.unknown_language", "This language is not supported. Choose one from the list.")
        )
    return code


def _browser_status(status: UploadStatus) -> UploadStatus:
    if status not in SET_BY_BROWSER:
        raise ValueError(Message("uploads.status_reserved", "This status is set by the server alone."))
    return status


Language = Annotated[str, AfterValidator(_known_language)]
BrowserStatus = Annotated[UploadStatus, AfterValidator(_browser_status)]
ErrorText = Annotated[str, AfterValidator(clean_text)]


class UploadOut(BaseModel):
    """An upload for the page. `file_slug` is set once the bytes have become a file."""

    id: uuid.UUID
    slug: str
    tus_url: str
    filename: str
    filetype: str
    filesize: int | None
    language: str
    detects_speakers: bool
    status: UploadStatus
    is_displayed: bool
    bytes_uploaded: int
    error: PageText | None
    file_slug: str | None
    created_at: datetime
    updated_at: datetime


class TokenRequest(BaseModel):
    """The size of the file that will be sent, where it is known."""

    filesize: int | None = Field(None, ge=0, le=LARGEST)


class TokenOut(BaseModel):
    token: str
    expires_at: datetime


class TokenAnswer(BaseModel):
    """The token twice: in the usual envelope, and where resumable-upload clients look for it."""

    data: TokenOut
    token: str


class UploadRecord(BaseModel):
    """What a browser reports about an upload it has created."""

    tus_url: str = Field(max_length=LONGEST_URL)
    filename: str | None = Field(None, max_length=LONGEST_NAME)
    filetype: str | None = Field(None, max_length=LONGEST_NAME)
    filesize: int | None = Field(None, ge=0, le=LARGEST)
    language: Language | None = None
    detects_speakers: bool | None = None


class UploadChange(UploadRecord):
    status: BrowserStatus | None = None
    bytes_uploaded: int | None = Field(None, ge=0, le=LARGEST)
    error: ErrorText | None = None
    is_displayed: bool | None = None
