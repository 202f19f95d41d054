"""What people found right while they reviewed captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from api.content.captions.models import ReviewMark
from api.content.captions.review import service as review
from api.content.captions.review.schemas import ReviewedSpot, ReviewMarks, ReviewOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/files/captions", tags=["captions"])

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]


@router.get("/{key}/review", responses=error_responses(401, 404, 422))
async def get_review(key: str, viewer: SignedIn, session: ReadSession, language: Language = None) -> Data[ReviewOut]:
    return Data(data=_out(await review.marks(session, viewer, key, language)))


@router.post("/{key}/review", responses=error_responses(401, 403, 404, 409, 419, 422))
async def mark_reviewed(key: str, body: ReviewMarks, viewer: SignedIn, session: WriteSession) -> Data[ReviewOut]:
    """Mark spots as right, or take the marks away."""
    return Data(data=_out(await review.mark(session, viewer, key, body)))


def _out(rows: Sequence[ReviewMark]) -> ReviewOut:
    return ReviewOut(kept=[ReviewedSpot(line=row.line_id, key=row.key) for row in rows])
