"""Bring back captions that somebody corrected outside, in a table, a Word document or a text."""

from __future__ import annotations

from fastapi import APIRouter, UploadFile

from api.content.captions.chosen_track import Language
from api.content.captions.reading import all_lines
from api.content.captions.review.schemas import OutsideProposalOut, OutsideReviewOut
from api.content.captions.subtitle_files.imports import compare_file, read_upload
from api.content.captions.tracks import find_tracks
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State
from pipelines.captions.outside_review.compare import Line

router = APIRouter(prefix="/api/files/captions", tags=["captions"])


@router.post("/{key}/outside-review", responses=error_responses(401, 404, 419, 422, 429))
async def compare_outside_review(
    key: str, file: UploadFile, viewer: SignedIn, state: State, language: Language = None
) -> Data[OutsideReviewOut]:
    """Compare a CSV, Word document or text with a track. Nothing changes: the page applies what one accepts."""
    raw = await read_upload(file)
    async with state.database.read() as session:
        chosen = (await find_tracks(session, viewer, key)).choose(language)
        stored = [] if chosen.track is None else await all_lines(session, chosen.track)
    lines = [Line(line.id, line.start_ms, line.text) for line in stored]
    found = await compare_file(raw, lines, chosen.language)
    proposed = {each.line: each.text for each in found.proposals}
    proposals = [
        OutsideProposalOut(line=line.id, start_ms=line.start_ms, text=line.text, proposed=proposed[line.id])
        for line in lines
        if line.id in proposed
    ]
    return Data(data=OutsideReviewOut(proposals=proposals, unplaced=found.unplaced))
