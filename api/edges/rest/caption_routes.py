"""REST v1: captions and translations."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from api.content.captions import loading
from api.content.captions.subtitle_files.downloads import CaptionFormQuery, FrameRate, download_of
from api.content.captions.subtitle_files.file_import import import_file
from api.content.translations import queries as translations
from api.content.translations import service as translating
from api.content.translations.schemas import TranslateIn
from api.edges.rest.schemas import CaptionsSaved, RestCaptions, RestTranslation, TranslationsWanted, translation_of
from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.scopes import Scope
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, State, WriteSession
from pipelines.captions.forms.form import CaptionFormat, Reading, RollUp
from pipelines.captions.forms.registry import FORMS, MEDIA_TYPES
from pipelines.captions.texts.speaker_names import SpeakerStyle

router = APIRouter(prefix="/api/v1/files/{file_id}", tags=["captions"])
READS = [requires(Scope.CAPTIONS_READ)]
WRITES = [requires(Scope.CAPTIONS_WRITE)]

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]
"""Of the captions; without it those of the transcription."""

_TEXT = {"schema": {"type": "string"}}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_FORMS: dict[str, Any] = {
    MEDIA_TYPES[form].partition(";")[0]: _BYTES if form in (CaptionFormat.STL, CaptionFormat.DOCX) else _TEXT
    for form in CaptionFormat
    if form is not CaptionFormat.JSON
}
_READABLE = ", ".join(form.label for form in FORMS if form.read is not None)
_SUBTITLES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": f"A subtitle file: {_READABLE}. Its beginning tells which.",
        "content": {"text/plain": _TEXT, "application/octet-stream": _BYTES},
    }
}


@router.get(
    "/captions",
    dependencies=READS,
    response_class=Response,
    responses={
        200: {"model": RestCaptions, "description": "The captions in the wanted form.", "content": _FORMS},
        **error_responses(404, 422),
    },
)
async def get_rest_captions(
    file_id: str,
    caller: ApiCaller,
    session: ReadSession,
    form: CaptionFormQuery = CaptionFormat.JSON,
    language: Language = None,
    speakers: SpeakerStyle = SpeakerStyle.NONE,
    fps: FrameRate = None,
) -> Response:
    """JSON has the time, confidence, styles and speaker of every word. Other forms show speakers as `speakers` says.

    `fps` is for forms that count frames; without it, it is the file's.
    """
    captions = await loading.load(session, caller.viewer, file_id, language=language)
    download = await download_of(session, captions, form, speakers, fps)
    content = await asyncio.to_thread(download.content)
    return Response(content, media_type=MEDIA_TYPES[form], headers={"Cache-Control": "no-store"})


@router.put(
    "/captions",
    dependencies=WRITES,
    openapi_extra=_SUBTITLES,
    responses=error_responses(400, 404, 408, 409, 413, 422, 429),
)
async def put_rest_captions(
    file_id: str,
    request: Request,
    caller: ApiCaller,
    state: State,
    language: Language = None,
    fps: FrameRate = None,
    roll_up: RollUp = RollUp.ONCE,
) -> Data[CaptionsSaved]:
    """Replace all lines by those of a subtitle file of up to 1 MB, as one change that people can undo.

    A text without times takes those of the words that were heard; notes name the passages that nobody speaks.

    `fps` is for files that count frames; without it, it is what the file says. `roll_up` is for SCC with rows that roll
    up.
    """
    raw = await request.body()
    change, notes = await import_file(
        state.database, caller.viewer, file_id, raw, language, reading=Reading(fps, roll_up)
    )
    saved = CaptionsSaved(
        language=change.language,
        revision=change.revision,
        changed=change.after_count,
        removed=len(change.result.removed),
        notes=list(notes),
    )
    return Data(data=saved)


@router.get("/translations", dependencies=READS, responses=error_responses(404), tags=["translations"])
async def list_rest_translations(file_id: str, caller: ApiCaller, session: ReadSession) -> Data[list[RestTranslation]]:
    """The file's translations, those that are being made too."""
    listed = await translations.listed(session, caller.viewer, file_id, subtitles=False)
    return Data(data=[translation_of(each) for each in listed])


@router.post(
    "/translations",
    status_code=202,
    dependencies=WRITES,
    responses=error_responses(402, 404, 409, 422),
    tags=["translations"],
)
async def start_rest_translations(
    file_id: str, body: TranslationsWanted, caller: ApiCaller, session: WriteSession
) -> Data[list[RestTranslation]]:
    """Translate the captions into these languages, all or none. Answers with those translations."""
    wanted = TranslateIn(languages=body.languages, formality=body.formality, source=body.source)
    file = await translating.translate(session, caller.viewer, file_id, wanted)
    return Data(data=[translation_of(each) for each in await translations.described(session, file, wanted.wanted)])
