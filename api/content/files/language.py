"""Which languages a file may have, and why one is refused."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.files.models import File, FileStatus
from api.platform.capabilities.queries import capability_of
from api.platform.http.errors import Conflict, Invalid
from pipelines.language_choice import refusal, unavailable_reason
from pipelines.languages import AUTO, is_known
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED

UNKNOWN_LANGUAGE = "This language is not supported. Choose one from the list."


class LanguageUnsupported(Invalid):
    """The loaded speech model cannot transcribe the chosen language."""

    code = LANGUAGE_UNSUPPORTED


class AlreadyTranscribed(Conflict):
    """A transcription keeps its language, finished or not. Only a new transcription changes it."""

    code = "already_transcribed"
    message = "This file has been transcribed in its language. Transcribe it again to change that."


def require_known(language: str) -> None:
    """Raise `Invalid` unless the code is in the language lists, or `auto`."""
    if not is_known(language) and language != AUTO:
        raise Invalid.field("language", UNKNOWN_LANGUAGE)


async def require_usable(session: AsyncSession, language: str) -> None:
    """Raise `Invalid`, or `LanguageUnsupported` when the loaded model does not support the language."""
    require_known(language)
    loaded = (await capability_of(session)).loaded
    if loaded is not None and unavailable_reason(loaded, language) is not None:
        raise LanguageUnsupported.field("language", refusal(loaded, language))


async def change_language(session: AsyncSession, file: File, language: str) -> None:
    """Change the language of a file without captions. Raise `Invalid` or `AlreadyTranscribed`."""
    require_known(language)
    if language == file.language:
        return
    if file.status == FileStatus.TRANSCRIBING or await captions_language(session, file) is not None:
        raise AlreadyTranscribed
    file.language = language


async def captions_language(session: AsyncSession, file: File) -> str | None:
    """The language of a file's transcription; None when it has none."""
    is_transcription = CaptionTrack.origin == TrackOrigin.TRANSCRIPTION
    statement = select(CaptionTrack.language).where(CaptionTrack.file_id == file.id, is_transcription)
    return await session.scalar(statement)
