"""Proofreading of captions: start it, read its proposals, stop it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.content.ai_texts.proofreading import service as proofreading
from api.content.ai_texts.proofreading.schemas import ProofreadingOut, StartProofreading, describe
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/files/captions", tags=["AI text"])

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]


@router.get("/{key}/proofreading", responses=error_responses(401, 404, 422))
async def get_proofreading(
    key: str, viewer: SignedIn, session: ReadSession, language: Language = None
) -> Data[ProofreadingOut | None]:
    """The last proofreading of a track with its proposals; null where there was none."""
    row = await proofreading.find(session, viewer, key, language)
    return Data(data=None if row is None else describe(row))


@router.post("/{key}/proofreading", status_code=202, responses=error_responses(401, 402, 403, 404, 409, 419, 422))
async def start_proofreading(
    key: str, body: StartProofreading, viewer: SignedIn, session: WriteSession
) -> Data[ProofreadingOut]:
    """Queue a proofreading. Its proposals change nothing until somebody accepts them."""
    return Data(data=describe(await proofreading.start(session, viewer, key, body)))


@router.post("/{key}/proofreading/cancel", responses=error_responses(401, 403, 404, 409, 419, 422))
async def cancel_proofreading(
    key: str, viewer: SignedIn, session: WriteSession, types: Types, language: Language = None
) -> Data[ProofreadingOut]:
    return Data(data=describe(await proofreading.cancel(session, types, viewer, key, language)))
