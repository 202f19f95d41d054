from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, model_validator

from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from cluster.wording.message import Message
from pipelines.languages import listed_code
from pipelines.messages.translate import Formality

UNKNOWN_LANGUAGE = Message(
    "translations.unknown_language", "This language is not in the list. Choose one from the list."
)
NO_LANGUAGE = Message("translations.no_language", "Choose at least one language.")
LANGUAGES_AT_ONCE = 20
"""Languages of one call. Each is a job, and all of them read the same captions."""
LINES_AT_ONCE = 20_000


def _listed(code: str) -> str:
    listed = listed_code(code)
    if listed is None:
        raise ValueError(UNKNOWN_LANGUAGE)
    return listed


Code = Annotated[str, Field(min_length=2, max_length=LANGUAGE_CODE_MAX), AfterValidator(_listed)]


class TranslationState(StrEnum):
    """What the newest run of a translation is doing. A translation with lines stays usable in every state."""

    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


class FileTranslationOut(BaseModel):
    """A translation of a file. `progress` of its run is in percent. `stale` counts lines whose source changed since.

    `has_lines`: it can be read; false while, or because, its first run has not ended.
    """

    language: str
    label: PageText
    state: TranslationState
    progress: int
    stale: int
    has_lines: bool


class TranslateIn(BaseModel):
    """Translate into one `language` or several `languages`.

    `source` is the language of the track to translate, the transcription's when unset.
    """

    language: Code | None = None
    languages: list[Code] = Field(default_factory=list, max_length=LANGUAGES_AT_ONCE)
    formality: Formality | None = None
    source: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)

    @model_validator(mode="after")
    def _some(self) -> TranslateIn:
        if not self.wanted:
            raise ValueError(NO_LANGUAGE)
        return self

    @property
    def wanted(self) -> list[str]:
        """The languages, each once."""
        return list(dict.fromkeys([*([self.language] if self.language else []), *self.languages]))


class RefreshIn(BaseModel):
    """Translate lines again: `lines` of the translation or its source, or all that are stale or missing.

    `include_edited`: also lines that a person wrote.
    """

    lines: list[uuid.UUID] | None = Field(None, max_length=LINES_AT_ONCE)
    include_edited: bool = False


class TranslationOut(BaseModel):
    """A translation of a file, or one that is being made.

    `id` is the track's; null while the first run has none yet. `subtitle` is SRT, only where it was asked for. `lines`,
    `stale`, `missing` and `flagged` count lines of the translation, lines whose source changed, source lines without a
    translation, and lines to review. `lines_done` of `lines_total` are translated in the present run. `eta_s`: seconds
    until it should be done, null when unknown. `queue_place` is 1 for the next job to start. `notes` are sentences
    about the last run, and `error` says why it failed.
    """

    id: uuid.UUID | None
    language: str
    label: PageText
    source_language: str | None
    subtitle: str | None
    revision: int
    lines: int
    stale: int
    missing: int
    flagged: int
    state: TranslationState
    progress: int
    lines_done: int
    lines_total: int
    eta_s: int | None
    queue_place: int | None
    retry_at: datetime | None
    stalled_s: int | None
    engine: PageText | None
    formality: Formality
    notes: list[PageText]
    error: PageText | None
    error_code: str | None
    created_at: datetime


class TranslationsDeleted(BaseModel):
    """The languages whose translations were deleted. `POST …/translations/restore` brings them back."""

    deleted: list[str]


class TargetLanguage(BaseModel):
    """A language that captions can be translated into. `reason` says briefly why one is not `available`.

    `via` names the model that would translate.
    """

    value: str
    label: PageText
    available: bool
    reason: PageText | None
    via: PageText | None
