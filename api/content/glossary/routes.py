"""The glossary of a person and of their active team."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Query, UploadFile
from fastapi.responses import Response

from api.content.glossary import corrections, known_words, queries, service
from api.content.glossary.csv_form import format_csv, read_csv
from api.content.glossary.models import GlossaryTermRow, KnownWordRow
from api.content.glossary.schemas import (
    GlossaryImport,
    KnownWordOut,
    NewKnownWord,
    NewTerm,
    SettledSuggestion,
    Suggestion,
    TermIn,
    TermOut,
    TermScope,
    describe,
)
from api.people.access.rules import offers_change
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.http.downloads.names import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/glossary", tags=["glossary"])

Code = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]
FromCode = Annotated[str | None, Query(alias="from", max_length=LANGUAGE_CODE_MAX)]
Scope = Annotated[TermScope | None, Query()]


def _out(viewer: Viewer, row: GlossaryTermRow) -> TermOut:
    return describe(row, may_change=offers_change(viewer, row))


@router.get("", responses=error_responses(401, 422))
async def list_terms(
    viewer: SignedIn, session: ReadSession, source: FromCode = None, to: Code = None
) -> Data[list[TermOut]]:
    """One's own terms and those of the active team. With `from` and `to`, only terms that apply to these languages."""
    rows = await queries.listed(session, viewer.user_id, viewer.team_id, source=source, target=to)
    return Data(data=[_out(viewer, row) for row in rows])


@router.post("", status_code=201, responses=error_responses(401, 419, 422))
async def add_term(body: NewTerm, viewer: SignedIn, session: WriteSession) -> Data[TermOut]:
    return Data(data=_out(viewer, await service.add(session, viewer, body)))


@router.get("/export", response_class=Response, responses=error_responses(401, 422))
async def export_terms(viewer: SignedIn, session: ReadSession, source: FromCode = None, to: Code = None) -> Response:
    """The same terms as the list, as CSV."""
    rows = await queries.listed(session, viewer.user_id, viewer.team_id, source=source, target=to)
    headers = {"Content-Disposition": attachment("glossary.csv"), "Cache-Control": "no-store"}
    return Response(await asyncio.to_thread(format_csv, rows), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/import", responses=error_responses(401, 419, 422))
async def import_terms(
    file: UploadFile, viewer: SignedIn, session: WriteSession, scope: Scope = None
) -> Data[GlossaryImport]:
    """Read a CSV file. `refused` lists the rows that could not be used, with reasons; all others are saved."""
    rows = await asyncio.to_thread(read_csv, await file.read())
    return Data(data=await service.import_rows(session, viewer, rows, scope))


@router.get("/suggestions", responses=error_responses(401))
async def list_suggestions(viewer: SignedIn, session: ReadSession) -> Data[list[Suggestion]]:
    """Words that people corrected at least twice in the same way."""
    return Data(data=await corrections.suggestions(session, viewer))


@router.post("/suggestions", responses=error_responses(401, 419, 422))
async def settle_suggestion(body: SettledSuggestion, viewer: SignedIn, session: WriteSession) -> Data[TermOut | None]:
    """Add a suggestion to the glossary, or dismiss it. Returns the new term."""
    row = await corrections.settle(session, viewer, body)
    return Data(data=None if row is None else _out(viewer, row))


@router.get("/words", responses=error_responses(401))
async def list_words(viewer: SignedIn, session: ReadSession) -> Data[list[KnownWordOut]]:
    """The words that spelling accepts: one's own and those of the active team."""
    return Data(data=[_word(viewer, row) for row in await known_words.listed(session, viewer)])


@router.post("/words", status_code=201, responses=error_responses(401, 419, 422))
async def add_word(body: NewKnownWord, viewer: SignedIn, session: WriteSession) -> Data[KnownWordOut]:
    return Data(data=_word(viewer, await known_words.add(session, viewer, body)))


@router.delete("/words/{word_id}", status_code=204, responses=error_responses(401, 404, 419))
async def delete_word(word_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    await known_words.remove(session, viewer, word_id)


def _word(viewer: Viewer, row: KnownWordRow) -> KnownWordOut:
    return KnownWordOut(
        id=row.id,
        word=row.word,
        language=row.language,
        scope=TermScope.USER if row.team_id is None else TermScope.TEAM,
        may_change=offers_change(viewer, row),
    )


@router.put("/{term_id}", responses=error_responses(401, 404, 419, 422))
async def change_term(term_id: uuid.UUID, body: TermIn, viewer: SignedIn, session: WriteSession) -> Data[TermOut]:
    return Data(data=_out(viewer, await service.change(session, viewer, term_id, body)))


@router.delete("/{term_id}", status_code=204, responses=error_responses(401, 404, 419))
async def delete_term(term_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    await service.remove(session, viewer, term_id)
