"""REST v1: captions and translations."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from api.api_keys.caller import ApiCaller, requires
from api.api_keys.scopes import Scope
from api.captions import service
from api.captions.formats import MEDIA_TYPES, CaptionFormat, caption_file
from api.captions.speakers import names_of
from api.http.envelope import Data
from api.http.errors import error_responses
from api.http.limits import LANGUAGE_CODE_MAX
from api.http.state import ReadSession, State, WriteSession
from api.rest.schemas import CaptionsSaved, RestCaptions, RestTranslation, TranslationsWanted, translation_of
from api.translations import queries as translations
from api.translations import service as translating
from api.translations.schemas import TranslateIn
from pipelines.captions.json_form import line_from_json
from pipelines.captions.speaker_names import SpeakerStyle

router = APIRouter(prefix="/api/v1/files/{file_id}", tags=["captions"])
READS = [requires(Scope.CAPTIONS_READ)]
WRITES = [requires(Scope.CAPTIONS_WRITE)]

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]
"""Of the captions; without it those of the transcription."""

_TEXT = {"schema": {"type": "string"}}
_FORMS: dict[str, Any] = {
    MEDIA_TYPES[form].partition(";")[0]: _TEXT for form in CaptionFormat if form is not CaptionFormat.JSON
}
_SUBTITLES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A subtitle file, as text in UTF-8: SRT or WebVTT.",
        "content": {"text/plain": _TEXT},
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
    form: Annotated[CaptionFormat, Query(alias="format")] = CaptionFormat.JSON,
    language: Language = None,
    speakers: SpeakerStyle = SpeakerStyle.NONE,
) -> Response:
    """JSON has the time, confidence and speaker of every word. The other forms show speakers as `speakers` says."""
    captions = await service.load(session, caller.viewer, file_id, language=language)
    names = await names_of(session, captions.file.id)
    is_json = form is CaptionFormat.JSON
    lines = [line_from_json(line) for line in captions.values] if is_json else captions.texts
    content = await asyncio.to_thread(caption_file, form, lines, captions.language, names, speakers)
    return Response(content, media_type=MEDIA_TYPES[form], headers={"Cache-Control": "no-store"})


@router.put(
    "/captions",
    dependencies=WRITES,
    openapi_extra=_SUBTITLES,
    responses=error_responses(400, 404, 408, 409, 413, 422, 429),
)
async def put_rest_captions(
    file_id: str, request: Request, caller: ApiCaller, state: State, language: Language = None
) -> Data[CaptionsSaved]:
    """Replace all lines by those of a subtitle file of up to 1 MB, as one change that people can undo."""
    raw = await request.body()
    change, notes = await service.import_file(state.database, caller.viewer, file_id, raw, language)
    saved = CaptionsSaved(
        language=change.language,
        revision=change.revision,
        changed=len(change.result.changed),
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
