"""The calls of reviewers, who have a link and no account. Each reaches the file of its own link alone."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import FileResponse

from api.content.captions.chosen_track import Language
from api.content.captions.notes import service as notes
from api.content.captions.notes.schemas import NewNote, NoteChange, NoteOut
from api.content.files.media import send_media
from api.content.review_links import reviewing
from api.content.review_links.schemas import (
    FileReview,
    LinkSecret,
    ReviewCaptions,
    ReviewEdit,
    ReviewEntry,
    ReviewInvitation,
    ReviewSaved,
)
from api.people.auth.address import client_network
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import NoForgery
from api.people.reviewers import entry
from api.people.reviewers.cookies import PREFIX, clear_reviewer_cookie, set_reviewer_cookie
from api.people.reviewers.entry import LINK_ADDRESS, Review, Reviewing
from api.people.reviewers.models import ReviewRights
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.http.stored import OBJECT_RESPONSES, send_object

router = APIRouter(prefix=PREFIX, tags=["review"])


async def _with_file(review: Reviewing, state: State) -> Review:
    """Raises `LinkClosed` when there is nothing left to review, whatever the call."""
    async with state.database.read() as session:
        await reviewing.file_of(session, review.link, review.maker)
    return review


OpenReview = Annotated[Review, Depends(_with_file)]


@router.post("/{link_id}/open", dependencies=[NoForgery], responses=error_responses(403, 404, 419, 422, 429))
async def open_link(
    link_id: uuid.UUID, body: LinkSecret, state: State, request: Request, attempts: SharedAttempts
) -> Data[ReviewInvitation]:
    """Who sent the link, and what for. Nothing is recorded yet."""
    await attempts.add(state.database, (LINK_ADDRESS, client_network(request)))
    async with state.database.read() as session:
        link, maker = await entry.link_of(session, state.settings, link_id, body.secret)
        return Data(data=await reviewing.invitation(session, link, maker))


@router.post(
    "/{link_id}/enter",
    status_code=204,
    dependencies=[NoForgery],
    responses=error_responses(403, 404, 409, 419, 422, 429),
)
async def enter_review(
    link_id: uuid.UUID, body: ReviewEntry, state: State, request: Request, attempts: SharedAttempts
) -> Response:
    """Say who you are. The cookie of the answer is for the calls below, and for this link alone."""
    network = client_network(request)
    await attempts.add(state.database, (LINK_ADDRESS, network))
    async with state.database.read() as session:
        link, _ = await entry.link_of(session, state.settings, link_id, body.secret)
    await entry.check_password(state.database, attempts, link, body.password or "")
    async with state.database.write() as session:
        # It may have been revoked meanwhile.
        link, maker = await entry.link_of(session, state.settings, link_id, body.secret)
        file = await reviewing.file_of(session, link, maker)
        token = await entry.enter(session, link, body.name, network=network, file_name=file.name)
    response = Response(status_code=204)
    set_reviewer_cookie(response, state.settings, link_id, token)
    return response


@router.post("/{link_id}/leave", status_code=204, responses=error_responses(403, 404, 419, 422))
async def leave_review(link_id: uuid.UUID, review: Reviewing, session: WriteSession, state: State) -> Response:
    """Forget this browser. What the reviewer wrote stays."""
    await entry.leave(session, review)
    response = Response(status_code=204)
    clear_reviewer_cookie(response, state.settings, link_id)
    return response


@router.get("/{link_id}", responses=error_responses(403, 404, 422))
async def get_review(review: OpenReview, session: ReadSession) -> Data[FileReview]:
    return Data(data=await reviewing.describe(session, review))


@router.get("/{link_id}/captions", responses=error_responses(403, 404, 422))
async def get_review_captions(
    review: OpenReview,
    session: ReadSession,
    language: Language = None,
    since: Annotated[int | None, Query(ge=0)] = None,
) -> Data[ReviewCaptions]:
    """All lines, or none when nothing changed after revision `since`."""
    return Data(data=await reviewing.captions(session, review, language, since))


@router.post("/{link_id}/captions", responses=error_responses(403, 404, 409, 419, 422))
async def edit_reviewed_line(body: ReviewEdit, review: OpenReview, session: WriteSession) -> Data[ReviewSaved]:
    """Correct the text of a line. The history names the reviewer."""
    return Data(data=await reviewing.edit(session, review, body))


@router.get("/{link_id}/notes", responses=error_responses(403, 404, 422))
async def list_review_notes(review: OpenReview, session: ReadSession, language: Language = None) -> Data[list[NoteOut]]:
    return Data(data=await notes.notes(session, review.viewer, review.key, language))


@router.post("/{link_id}/notes", status_code=201, responses=error_responses(403, 404, 409, 419, 422))
async def add_review_note(body: NewNote, review: OpenReview, session: WriteSession) -> Data[list[NoteOut]]:
    """Write about a line, or answer. Everybody who sees the file is told."""
    review.require(ReviewRights.COMMENT)
    return Data(data=await notes.add(session, review.viewer, review.key, body))


@router.put("/{link_id}/notes/{note_id}", responses=error_responses(403, 404, 419, 422))
async def change_review_note(
    note_id: uuid.UUID, body: NoteChange, review: OpenReview, session: WriteSession
) -> Data[list[NoteOut]]:
    """Correct a note of one's own. Those with an account resolve threads."""
    review.require(ReviewRights.COMMENT)
    return Data(data=await notes.change(session, review.viewer, review.key, note_id, body))


@router.delete("/{link_id}/notes/{note_id}", responses=error_responses(403, 404, 419, 422))
async def delete_review_note(note_id: uuid.UUID, review: OpenReview, session: WriteSession) -> Data[list[NoteOut]]:
    """Delete a note of one's own."""
    review.require(ReviewRights.COMMENT)
    return Data(data=await notes.remove(session, review.viewer, review.key, note_id))


@router.get(
    "/{link_id}/media",
    response_class=FileResponse,
    responses=OBJECT_RESPONSES | error_responses(403, 404, 409, 422),
)
async def review_media(review: OpenReview, session: ReadSession, state: State, request: Request) -> Response:
    file = await reviewing.file_of(session, review.link, review.maker)
    return await send_media(request, session, state.storage, file)


@router.get(
    "/{link_id}/poster", response_class=FileResponse, responses=OBJECT_RESPONSES | error_responses(403, 404, 422)
)
async def review_poster(review: OpenReview, session: ReadSession, state: State, request: Request) -> Response:
    file = await reviewing.file_of(session, review.link, review.maker)
    return await send_object(request, session, state.storage, file.poster_key, media_type="image/jpeg")
