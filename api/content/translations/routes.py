"""Translations of captions: list, start, refresh, stop, delete and restore."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.content.translations import queries, service
from api.content.translations.languages import target_languages
from api.content.translations.schemas import RefreshIn, TargetLanguage, TranslateIn, TranslationOut, TranslationsDeleted
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api", tags=["translations"])

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]


@router.get("/translation/languages", responses=error_responses(401, 422))
async def list_target_languages(
    viewer: SignedIn, session: ReadSession, source: Annotated[str, Query(alias="from", max_length=LANGUAGE_CODE_MAX)]
) -> Data[list[TargetLanguage]]:
    """What captions in the language `from` can be translated into with the models of this installation."""
    return Data(data=await target_languages(session, source))


@router.get("/files/captions/{key}/translations", responses=error_responses(401, 404, 422))
async def list_translations(
    key: str, viewer: SignedIn, session: ReadSession, subtitles: bool = False
) -> Data[list[TranslationOut]]:
    """The translations of a file. `subtitles` adds the text of each as SRT."""
    return Data(data=await queries.listed(session, viewer, key, subtitles=subtitles))


@router.post(
    "/files/captions/{key}/translate", status_code=202, responses=error_responses(401, 402, 404, 409, 419, 422)
)
async def translate_captions(
    key: str, body: TranslateIn, viewer: SignedIn, session: WriteSession
) -> Data[list[TranslationOut]]:
    """Translate the captions into one or several languages, all or none. Answers with those translations."""
    file = await service.translate(session, viewer, key, body)
    return Data(data=await queries.described(session, file, body.wanted))


@router.post("/files/captions/{key}/translations/restore", responses=error_responses(401, 404, 409, 419))
async def restore_translations(key: str, viewer: SignedIn, session: WriteSession) -> Data[list[TranslationOut]]:
    """Bring back what the last deletion removed."""
    file = await service.restore(session, viewer, key)
    return Data(data=await queries.described(session, file))


@router.post(
    "/files/captions/{key}/translations/{language}/refresh",
    status_code=202,
    responses=error_responses(401, 402, 404, 409, 419, 422),
)
async def refresh_translation(
    key: str, language: str, body: RefreshIn, viewer: SignedIn, session: WriteSession
) -> Data[list[TranslationOut]]:
    """Translate stale and missing lines again, or the given ones. Lines that a person wrote stay, unless asked."""
    file = await service.refresh(session, viewer, key, language, body)
    return Data(data=await queries.described(session, file, [service.code_of(language)]))


@router.post("/files/captions/{key}/translations/{language}/cancel", responses=error_responses(401, 404, 409, 419))
async def cancel_translation(
    key: str, language: str, viewer: SignedIn, session: WriteSession, types: Types
) -> Data[list[TranslationOut]]:
    """Stop the run. Lines that are there stay."""
    file = await service.cancel(session, types, viewer, key, language)
    return Data(data=await queries.described(session, file))


@router.delete("/files/captions/{key}/translations", responses=error_responses(401, 404, 409, 419, 422))
async def delete_translations(
    key: str, viewer: SignedIn, session: WriteSession, types: Types, language: Language = None
) -> Data[TranslationsDeleted]:
    """Delete the translation into `language`, or all of them as one step that can be undone."""
    _, deleted = await service.remove(session, types, viewer, key, language)
    return Data(data=TranslationsDeleted(deleted=deleted))
