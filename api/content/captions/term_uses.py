"""How often captions hold the terms of a glossary."""

from __future__ import annotations

import asyncio
from datetime import datetime

from fastapi import APIRouter
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.files.models import File
from api.content.glossary import queries
from api.content.glossary.corrections import corrected_since
from api.content.glossary.schemas import TermUse
from api.people.access.rules import may_see
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession
from pipelines.captions.texts.term_counts import count_terms

router = APIRouter(prefix="/api/glossary", tags=["glossary"])

LINES_COUNTED_MAX = 20_000
"""The newest lines that are counted: some twenty hours. Reading them takes about 0.2 s."""
_BATCH = 500


@router.get("/uses", responses=error_responses(401, 422))
async def list_uses(viewer: SignedIn, session: ReadSession) -> Data[list[TermUse]]:
    """How often captions hold each term of the list, and how often people still had to correct a word to it."""
    return Data(data=await of_terms(session, viewer))


async def of_terms(session: AsyncSession, viewer: Viewer) -> list[TermUse]:
    """The uses of every term that the viewer sees, in the newest captions that they see."""
    terms = await queries.listed(session, viewer.user_id, viewer.team_id, source=None, target=None)
    if not terms:
        return []
    lines = (
        select(CaptionLineRow.text)
        .join(CaptionTrack, CaptionTrack.id == CaptionLineRow.track_id)
        .join(File, File.id == CaptionTrack.file_id)
        .where(may_see(viewer, File), CaptionTrack.deleted_at.is_(None))
        .order_by(File.created_at.desc(), CaptionLineRow.start_ms)
        .limit(LINES_COUNTED_MAX + 1)
    )
    texts = (await session.scalars(lines)).all()
    counts = await asyncio.to_thread(count_terms, [term.source for term in terms], texts[:LINES_COUNTED_MAX])
    corrected = [
        found
        for start in range(0, len(terms), _BATCH)
        for found in await corrected_since(session, viewer, [term.source for term in terms[start : start + _BATCH]])
    ]
    times: dict[str, list[datetime]] = {}
    for right, at in corrected:
        times.setdefault(right, []).append(at)
    return [
        TermUse(
            id=term.id,
            used=used,
            corrected=sum(at > term.created_at for at in times.get(term.source, [])),
            is_whole=len(texts) <= LINES_COUNTED_MAX,
        )
        for term, used in zip(terms, counts, strict=True)
    ]
