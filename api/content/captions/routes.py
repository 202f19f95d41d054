"""Captions of a file: read, change, undo, import, download."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, UploadFile
from fastapi.responses import JSONResponse, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import loading, service
from api.content.captions.chosen_track import Language
from api.content.captions.editing.edits import CaptionEdit
from api.content.captions.editing.large_command import Plan, run_command
from api.content.captions.editing.saving import Change
from api.content.captions.editing.writing import WritePlan
from api.content.captions.large.change import LargeWork
from api.content.captions.large.line_text import wire_of_text
from api.content.captions.large.process import in_process
from api.content.captions.newer import Newer, newer_lines
from api.content.captions.saved_answer import answer_of, saved
from api.content.captions.schemas import CaptionsOut, ImportSaved, NewerOut, SaveAnswer
from api.content.captions.subtitle_files.downloads import CaptionFormQuery, FrameRate, download_of
from api.content.captions.subtitle_files.file_import import import_file
from api.content.captions.subtitle_files.imports import read_upload
from api.content.captions.wire import json_to_wire
from api.people.access.rules import offers_change
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.pages.compression import QUICK, accepts, gzipped
from api.platform.http.pages.language import in_page_language
from api.platform.http.state import ReadSession, State
from pipelines.captions.forms.form import CaptionFormat, Reading, RollUp
from pipelines.captions.forms.registry import FORM_OF, MEDIA_TYPES
from pipelines.captions.reading.srt import format_srt
from pipelines.captions.texts.speaker_names import SpeakerStyle

DRAFT_TOKEN_MAX = 40
FIRST_LINES_MAX = 500
COMPRESSED_FROM = 64_000
"""Bytes. 3,000 lines are 3.7 MB, with words mostly numbers and ids that repeat."""

router = APIRouter(prefix="/api/files", tags=["captions"])


@router.get("/captions/{key}", response_model=Data[CaptionsOut], responses=error_responses(401, 404, 422))
async def get_captions(
    key: str,
    request: Request,
    viewer: SignedIn,
    state: State,
    since: Annotated[str | None, Query(max_length=DRAFT_TOKEN_MAX)] = None,
    language: Language = None,
    most: Annotated[int | None, Query(ge=1, le=FIRST_LINES_MAX)] = None,
) -> Response:
    """With `most`, at most so many lines, from the first one on: a page shows these before it has all."""
    async with state.database.read() as session:
        captions = await loading.load(session, viewer, key, since=since, language=language, most=most)
    # A file of 20,000 lines is 20 MB of JSON. Written in a thread and without a connection, it delays no other request.
    may_change = offers_change(viewer, captions.file)
    return await asyncio.to_thread(_captions_answer, captions, may_change, accepts(request, "gzip"))


@router.get("/captions/{key}/newer", response_model=Data[NewerOut], responses=error_responses(401, 404, 422))
async def get_newer_lines(
    key: str,
    viewer: SignedIn,
    session: ReadSession,
    since: Annotated[int, Query(ge=0)],
    language: Language = None,
) -> JSONResponse:
    """What changed after revision `since`. Where too much did, `is_whole` says to fetch all captions."""
    newer = await newer_lines(session, viewer, key, language, since)
    return await asyncio.to_thread(_newer, newer, since)


@router.post("/captions/{key}", response_model=SaveAnswer, responses=error_responses(401, 404, 409, 419, 422, 429))
async def change_captions(key: str, body: CaptionEdit, viewer: SignedIn, state: State) -> Response:
    async def read(session: AsyncSession) -> LargeWork | WritePlan | None:
        return await service.plan_of(session, viewer, key, body.root)

    async def write(session: AsyncSession, plan: Plan | None) -> Change:
        return await service.edit(session, viewer, key, body.root, plan)

    change = await run_command(state.database, viewer, read, write)
    if not change.is_move:
        return await asyncio.to_thread(saved, change)
    async with state.database.read() as session:
        moved = await loading.lines_of_move(session, change)
    if isinstance(moved, str):
        return answer_of(change, await in_process(viewer.user_id, partial(wire_of_text, moved)))
    return await asyncio.to_thread(saved, change, moved)


@router.post(
    "/captions/{key}/import", response_model=ImportSaved, responses=error_responses(401, 404, 409, 419, 422, 429)
)
async def import_captions(
    key: str,
    file: UploadFile,
    viewer: SignedIn,
    state: State,
    language: Language = None,
    fps: FrameRate = None,
    roll_up: RollUp = RollUp.ONCE,
) -> Response:
    """Replace all lines by those of a file in any form that can be read.

    A text without times takes those of the words that were heard; notes name the passages that nobody speaks.

    `fps` is for files that count frames, `roll_up` for SCC with rows that roll up.
    """
    raw = await read_upload(file)
    change, notes = await import_file(state.database, viewer, key, raw, language, reading=Reading(fps, roll_up))
    return await asyncio.to_thread(saved, change, notes=[in_page_language(note) for note in notes])


@router.get("/captions/{key}/download", response_class=Response, responses=error_responses(401, 404, 422))
async def download_captions(
    key: str,
    viewer: SignedIn,
    state: State,
    form: CaptionFormQuery = CaptionFormat.SRT,
    language: Language = None,
    speakers: SpeakerStyle = SpeakerStyle.NONE,
    fps: FrameRate = None,
    from_timecode: bool = False,
    only_forced: bool = False,
) -> Response:
    """A file in another form; ASS has the style and the size of the file's picture, as an export burns it in.

    `speakers` says how the text shows who speaks. With `labels`, forms with a field for it use that field; tables
    and JSON always have the names. `fps` is for forms that count frames; without it, it is the file's. With
    `from_timecode` they count from the time address of the file's first frame. `only_forced` leaves out the lines that
    are not for people without subtitles too.
    """
    async with state.database.read() as session:
        captions = await loading.load(session, viewer, key, language=language)
        how = {"from_timecode": from_timecode, "only_forced": only_forced}
        download = await download_of(session, captions, form, speakers, fps, **how)
    content = await asyncio.to_thread(download.content)
    forced = ".forced" if only_forced else ""
    name = f"{captions.file.name}.{captions.language}{forced}{FORM_OF[form].suffix}"
    headers = {"Content-Disposition": attachment(name), "Cache-Control": "no-store"}
    return Response(content, media_type=MEDIA_TYPES[form], headers=headers)


@router.get("/captions/{key}/download/notes", responses=error_responses(401, 404, 422))
async def download_notes(
    key: str,
    viewer: SignedIn,
    state: State,
    form: CaptionFormQuery = CaptionFormat.SRT,
    language: Language = None,
    speakers: SpeakerStyle = SpeakerStyle.NONE,
    fps: FrameRate = None,
    from_timecode: bool = False,
    only_forced: bool = False,
) -> Data[list[str]]:
    """What the file that `download` gives for the same choices cannot hold, in sentences."""
    async with state.database.read() as session:
        captions = await loading.load(session, viewer, key, language=language)
        how = {"from_timecode": from_timecode, "only_forced": only_forced}
        download = await download_of(session, captions, form, speakers, fps, **how)
    return Data(data=[in_page_language(one) for one in await asyncio.to_thread(download.losses)])


def _captions_answer(captions: loading.Captions, may_change: bool, compressed: bool) -> Response:
    answer = _whole(captions, may_change)
    if not compressed or len(answer.body) < COMPRESSED_FROM:
        return answer
    return gzipped(bytes(answer.body), "application/json", {}, QUICK)


def _whole(captions: loading.Captions, may_change: bool) -> JSONResponse:
    data = {
        "id": str(captions.id),
        "file_slug": captions.file.slug,
        "language": captions.language,
        "subtitle": format_srt(captions.plain_texts),
        "revision": captions.revision,
        "is_live": captions.is_live,
        "lines": [
            json_to_wire(line, at, source)
            for line, at, source in zip(captions.values, captions.revisions, captions.linked, strict=True)
        ],
        "can_undo": bool(captions.history.done),
        "can_redo": bool(captions.history.undone),
        "first_line": captions.first_line,
        "draft": captions.draft,
        "source_language": captions.source_language,
        "may_change": may_change,
    }
    return JSONResponse({"data": data}, headers={"Cache-Control": "no-store"})


def _newer(newer: Newer | None, since: int) -> JSONResponse:
    data: dict[str, Any] = {"is_whole": newer is None, "revision": since, "changed": [], "removed": []}
    data |= {"language": "", "can_undo": False, "can_redo": False, "may_change": False}
    if newer is not None:
        data |= {
            "revision": newer.track.revision,
            "language": newer.track.language,
            "changed": newer.lines,
            "removed": newer.removed,
            "can_undo": bool(newer.history.done),
            "can_redo": bool(newer.history.undone),
            "may_change": newer.may_change,
        }
    return JSONResponse({"data": data}, headers={"Cache-Control": "no-store"})
