"""The speech API: calls that clients of OpenAI's API make, answered by the models of this installation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.requests import ClientDisconnect

from api.edges.speech import catalogue, service
from api.edges.speech.answering import EVENTS, Call
from api.edges.speech.decoding import SharedDecoding
from api.edges.speech.form import read_fields, request_body
from api.edges.speech.models import SpeechTask
from api.edges.speech.receiving import receive_form
from api.edges.speech.schemas import DiarizedTranscription, ModelList, ServedModel, Transcription, VerboseTranscription
from api.edges.speech.waiting import ConnectionClosed, SharedWaiting
from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.scopes import Scope
from api.platform.http.openai_errors import openai_error_responses
from api.platform.http.state import ReadSession, State
from api.platform.jobs.dependency import Types
from pipelines.captions.forms.form import CaptionFormat
from pipelines.captions.forms.registry import MEDIA_TYPES

AUDIO = "/v1/audio/"
"""Calls below this path have neither a deadline nor the usual bound on bodies."""

router = APIRouter(prefix="/v1", tags=["speech API"])

_OF_KEYS = (401, 403, 404, 409, 429, 503)
_TEXTS = {"text/plain; charset=utf-8", *(MEDIA_TYPES[form] for form in (CaptionFormat.SRT, CaptionFormat.VTT)), EVENTS}
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The text, in the form that `response_format` names.",
        "model": VerboseTranscription | DiarizedTranscription | Transcription,
        "content": {kind: {"schema": {"type": "string"}} for kind in sorted(_TEXTS)},
    }
}
_LEFT = 499
"""Nobody reads it: the program has closed the connection."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What both calls work with."""

    caller: ApiCaller
    state: State
    types: Types
    waiting: SharedWaiting
    decoding: SharedDecoding


Parts = Annotated[_Parts, Depends(_Parts)]


@router.post(
    "/audio/transcriptions",
    dependencies=[requires(Scope.TRANSCRIBE)],
    response_class=Response,
    responses=_ANSWERS | openai_error_responses(400, 408, 413, *_OF_KEYS),
    openapi_extra=request_body(),
)
async def transcribe(request: Request, parts: Parts) -> Response:
    """Transcribe a file. With `stream`, the text comes as server-sent events while it is being transcribed."""
    return await _text(request, parts, SpeechTask.TRANSCRIBE)


@router.post(
    "/audio/translations",
    dependencies=[requires(Scope.TRANSCRIBE)],
    response_class=Response,
    responses=_ANSWERS | openai_error_responses(400, 408, 413, *_OF_KEYS),
    openapi_extra=request_body(),
)
async def translate(request: Request, parts: Parts) -> Response:
    """Transcribe a file and translate the text into English."""
    return await _text(request, parts, SpeechTask.TRANSLATE)


@router.get("/models", responses=openai_error_responses(*_OF_KEYS))
async def list_models(caller: ApiCaller, session: ReadSession) -> ModelList:
    """The speech models that are loaded. `whisper-1` is another name for the default."""
    return ModelList(data=await catalogue.served_models(session))


@router.get("/models/{model:path}", responses=openai_error_responses(*_OF_KEYS))
async def show_model(model: str, caller: ApiCaller, session: ReadSession) -> ServedModel:
    return await catalogue.find_model(session, model)


async def _text(request: Request, parts: _Parts, task: SpeechTask) -> Response:
    state = parts.state
    await service.require_room(state.database, parts.caller.viewer.user_id)
    try:
        state.settings.work_root.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=state.settings.work_root, prefix="speech-") as folder:
            sound = Path(folder) / "source"
            received = await receive_form(request, sound, limit=state.settings.max_speech_bytes)
            form = await asyncio.to_thread(read_fields, received.fields)
            sent = service.SentFile(sound, received.size or 0)
            request_id = await service.accept(state, parts.decoding, parts.caller, task, form, sent)
        call = Call(state, parts.types, parts.waiting, request_id)
        if form.stream and task == SpeechTask.TRANSCRIBE:
            return await call.events(request, form)
        return await call.whole(request, form)
    except (ClientDisconnect, ConnectionClosed):
        return PlainTextResponse("", status_code=_LEFT)
