from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from api.content.glossary.models import GlossaryTermRow
from api.platform.http.limits import GLOSSARY_NOTE_MAX, GLOSSARY_TERM_MAX, KNOWN_WORD_MAX, LANGUAGE_CODE_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE
from cluster.wording.message import Message
from pipelines.languages import listed_code

UNKNOWN_LANGUAGE = Message(
    "glossary.unknown_language", "This language is not in the list. Leave it empty for any language."
)


class TermScope(StrEnum):
    """Whose glossary a term is in."""

    USER = "user"
    TEAM = "team"


def _listed(code: str | None) -> str | None:
    if not code:
        return None
    listed = listed_code(code)
    if listed is None:
        raise ValueError(UNKNOWN_LANGUAGE)
    return listed


Term = Annotated[str, StringConstraints(min_length=1, max_length=GLOSSARY_TERM_MAX), CLEAN_LINE]
Note = Annotated[str, StringConstraints(max_length=GLOSSARY_NOTE_MAX), CLEAN_LINE]
Code = Annotated[str | None, Field(max_length=LANGUAGE_CODE_MAX), AfterValidator(_listed)]


class TermIn(BaseModel):
    """A term as people send it. An empty `from` or `to` means any language."""

    model_config = ConfigDict(populate_by_name=True)

    source: Term
    target: Term
    from_: Code = Field(None, alias="from")
    to: Code = None
    note: Note = ""
    case: bool = False


class NewTerm(TermIn):
    """`scope`: into whose glossary. Without it, that of the active team if there is one, else one's own."""

    scope: TermScope | None = None


class TermOut(BaseModel):
    """`case`: only the same capitals match. `may_change` is false for a team's terms in which one may only look."""

    model_config = ConfigDict(populate_by_name=True)

    id: uuid.UUID
    source: str
    target: str
    from_: str | None = Field(alias="from")
    to: str | None
    note: str
    case: bool
    scope: TermScope
    may_change: bool
    updated_at: datetime


class TermUse(BaseModel):
    """How a term fares. `used`: lines of captions that hold it; `corrected`: words that people corrected to it since.

    `is_whole` is false when there were more lines than are counted.
    """

    id: uuid.UUID
    used: int
    corrected: int
    is_whole: bool


class Suggestion(BaseModel):
    """A word that people corrected `times` times in the same way."""

    wrong: str
    right: str
    language: str
    times: int
    last_at: datetime


class SettledSuggestion(BaseModel):
    """What becomes of a suggestion: a term of the glossary, or nothing."""

    wrong: Term
    right: Term
    language: Annotated[str, StringConstraints(min_length=1, max_length=LANGUAGE_CODE_MAX)]
    accept: bool
    scope: TermScope | None = None


KnownWordText = Annotated[str, StringConstraints(min_length=1, max_length=KNOWN_WORD_MAX), CLEAN_LINE]


class NewKnownWord(BaseModel):
    """A word that spelling accepts. Without a `language` it is right in any. `scope` as in `NewTerm`."""

    word: KnownWordText
    language: Code = None
    scope: TermScope | None = None


class KnownWordOut(BaseModel):
    id: uuid.UUID
    word: str
    language: str | None
    scope: TermScope
    may_change: bool


class RefusedRow(BaseModel):
    """A row of an imported file that was left out. Rows count from 1, the header included."""

    row: int
    source: str
    reason: PageText


class GlossaryImport(BaseModel):
    """What an import did. Rows whose term is there already replace it."""

    added: int
    changed: int
    unchanged: int
    refused: list[RefusedRow]


def describe(row: GlossaryTermRow, *, may_change: bool) -> TermOut:
    return TermOut(
        id=row.id,
        source=row.source,
        target=row.target,
        from_=row.source_language,
        to=row.target_language,
        note=row.note,
        case=row.case_sensitive,
        scope=TermScope.USER if row.team_id is None else TermScope.TEAM,
        may_change=may_change,
        updated_at=row.updated_at,
    )
