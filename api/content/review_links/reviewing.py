"""What a reviewer does with the captions of a file: read them, and correct the text of a line."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import loading, service
from api.content.captions.actions import CaptionAction
from api.content.captions.editing.edits import EditLine
from api.content.captions.large.change import LargeChange
from api.content.captions.links import source_to_wire
from api.content.captions.models import TrackOrigin
from api.content.captions.speakers import names_of
from api.content.captions.tracks import TracksOfFile, find_tracks
from api.content.files import playback
from api.content.files.models import File, FileKind
from api.content.files.queries import find
from api.content.files.transitions import UNFINISHED
from api.content.review_links.schemas import (
    FileReview,
    ReviewCaptions,
    ReviewEdit,
    ReviewInvitation,
    ReviewLanguage,
    ReviewLine,
    ReviewSaved,
)
from api.people.access.rules import changes
from api.people.reviewers.entry import Maker, Review
from api.people.reviewers.errors import LinkClosed
from api.people.reviewers.models import ReviewLink, ReviewRights
from api.platform.http.errors import Forbidden, NotFound
from pipelines.captions.json_form import line_to_json


async def file_of(session: AsyncSession, link: ReviewLink, maker: Maker) -> File:
    """The file of a link. Raises `LinkClosed` when its maker may no longer change it, or it is in the bin."""
    try:
        file = await find(session, maker.viewer, str(link.file_id))
    except (NotFound, Forbidden):
        raise LinkClosed from None
    # Also a link to look at the captions was given by somebody who might change them.
    if not changes(maker.viewer, file.user_id, file.team_id):
        raise LinkClosed
    return file


async def invitation(session: AsyncSession, link: ReviewLink, maker: Maker) -> ReviewInvitation:
    file = await file_of(session, link, maker)
    needs_password = link.password_hash is not None
    return ReviewInvitation(
        rights=link.rights,
        by=maker.user.name,
        file=None if needs_password else file.name,
        needs_password=needs_password,
        expires_at=link.expires_at,
    )


async def describe(session: AsyncSession, review: Review) -> FileReview:
    file = await file_of(session, review.link, review.maker)
    tracks = await find_tracks(session, review.viewer, review.key)
    return FileReview(
        name=review.reviewer.name,
        by=review.maker.user.name,
        rights=review.link.rights,
        expires_at=review.link.expires_at,
        file=file.name,
        kind=FileKind(file.kind),
        duration_ms=file.duration_ms,
        width=file.width,
        height=file.height,
        playback=playback.playback_of(file, await playback.encoding_of(session, file)),
        has_poster=file.poster_key is not None,
        is_live=file.status in UNFINISHED,
        languages=_languages(tracks),
    )


def _languages(tracks: TracksOfFile) -> list[ReviewLanguage]:
    """The captions of what was said first."""
    ordered = sorted(tracks.tracks, key=lambda track: track.origin != TrackOrigin.TRANSCRIPTION)
    return [ReviewLanguage(language=track.language, is_source=track.source_track_id is None) for track in ordered]


async def captions(session: AsyncSession, review: Review, language: str | None, since: int | None) -> ReviewCaptions:
    """The captions in a language. While the file is transcribed there are none to review."""
    file = await file_of(session, review.link, review.maker)
    chosen = (await find_tracks(session, review.viewer, review.key)).choose(language)
    if chosen.track is None or chosen.is_live:
        return ReviewCaptions(language=chosen.language, revision=0, lines=[])
    if since == chosen.track.revision:
        return ReviewCaptions(language=chosen.language, revision=since, lines=None)
    loaded = await loading.of_track(session, chosen)
    names = await names_of(session, file.id)
    lines = await asyncio.to_thread(_lines, loaded.values, loaded.revisions, loaded.linked, names)
    return ReviewCaptions(language=loaded.language, revision=loaded.revision, lines=lines)


def _lines(
    values: Sequence[Mapping[str, Any]],
    revisions: Sequence[int],
    sources: Sequence[Mapping[str, Any] | None],
    names: Mapping[str, str],
) -> list[ReviewLine]:
    return [
        ReviewLine(
            id=uuid.UUID(value["id"]),
            start_ms=value["start_ms"],
            end_ms=value["end_ms"],
            text=value["text"],
            speaker=names.get(value["speaker"] or ""),
            original=None if source is None else source["now"] or None,
            locked=value.get("locked", False),
            revision=revision,
        )
        for value, revision, source in zip(values, revisions, sources, strict=True)
    ]


async def edit(session: AsyncSession, review: Review, body: ReviewEdit) -> ReviewSaved:
    """Save another text of a line. Raises `StaleEdit` and `EditFailed`."""
    review.require(ReviewRights.EDIT)
    file = await file_of(session, review.link, review.maker)
    request = EditLine(
        action=CaptionAction.EDIT,
        line=body.line,
        content=body.text,
        issued=body.issued,
        command=body.command,
        language=body.language,
    )
    change = await service.edit(session, review.viewer, review.key, request)
    names = await names_of(session, file.id)
    # The text of one line is never a large change.
    made = [] if isinstance(change.result, LargeChange) else change.result.changed
    sources = [None if line.link is None else source_to_wire(line.link, change.now) for line in made]
    values = [line_to_json(line) for line in made]
    return ReviewSaved(revision=change.revision, lines=_lines(values, [change.revision] * len(values), sources, names))
