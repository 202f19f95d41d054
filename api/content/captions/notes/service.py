"""Notes on lines of captions, in threads. Whoever may see the captions sees them; whoever may change those writes."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.errors import GONE, EditFailed
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.notes.models import CaptionNote
from api.content.captions.notes.schemas import NewNote, NoteChange, NoteOut, ReplyOut
from api.content.captions.tracks import find_tracks, track_to_change
from api.content.files.models import File
from api.people.access.audience import audience_of
from api.people.access.rules import is_same_person
from api.people.auth.viewer import Author, Viewer
from api.people.reviewers.models import Reviewer
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.db.expressions import in_list
from api.platform.http.errors import Forbidden, NotFound
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import child_of, event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Audience, Notice
from cluster.wording.message import Message

NOTES_MAX = 2_000
"""Of one track, answers included."""
FULL = Message(
    "captions.full",
    "These captions have {count:,} notes, and no more fit. Delete resolved ones first.",
    count=NOTES_MAX,
)
NO_NOTE = Message("captions.no_note", "This note is no longer there. Somebody may have deleted it.")
NEEDS_LINE = Message("captions.needs_line", "Say which line the note is about.")
SUPPORT = Message("notes.support", "Support")
NOBODY = uuid.UUID(int=0)
"""Stands for the author of a note whose account is gone."""


async def notes(session: AsyncSession, viewer: Viewer, key: str, language: str | None) -> list[NoteOut]:
    """The threads of a track in order of time."""
    track = (await find_tracks(session, viewer, key)).choose(language).track
    return [] if track is None else await _threads(session, viewer, track)


async def add(session: AsyncSession, viewer: Viewer, key: str, body: NewNote) -> list[NoteOut]:
    tracks = await find_tracks(session, viewer, key, hold=True)
    track = await track_to_change(session, tracks.choose(body.language))
    if await _count(session, track) >= NOTES_MAX:
        raise EditFailed(FULL)
    if body.reply_to is not None:
        root = await _note(session, track, body.reply_to)
        root = root if root.parent_id is None else await _note(session, track, root.parent_id)
        note = CaptionNote(
            parent_id=root.id,
            line_id=root.line_id,
            first_line_id=root.first_line_id,
            line_text=root.line_text,
            start_ms=root.start_ms,
            end_ms=root.end_ms,
        )
        # An answer to a resolved thread opens it again: somebody disagrees, or asks.
        root.resolved_at = root.resolved_by = None
    else:
        if body.line is None:
            raise EditFailed.field("line", NEEDS_LINE)
        line = await queries.line(session, track.id, body.line)
        if line is None:
            raise EditFailed.field("line", GONE)
        note = CaptionNote(
            line_id=line.id,
            first_line_id=line.id,
            line_text=line.text,
            start_ms=line.start_ms,
            end_ms=line.end_ms,
        )
    note.track_id, note.text = track.id, body.text
    note.user_id, note.reviewer_id = viewer.author
    note.as_support = viewer.admin_id is not None
    session.add(note)
    await session.flush()
    await _announce(session, viewer, tracks.file, track, is_new=True)
    return await _threads(session, viewer, track)


async def change(
    session: AsyncSession, viewer: Viewer, key: str, note_id: uuid.UUID, body: NoteChange
) -> list[NoteOut]:
    file, track, note = await _to_change(session, viewer, key, note_id)
    if body.text is not None and body.text != note.text:
        _require_author(viewer, note)
        note.text, note.edited_at = body.text, utc_now()
    if body.resolved is not None and note.parent_id is None:
        if viewer.reviewer_id is not None:
            raise Forbidden
        note.resolved_at = utc_now() if body.resolved else None
        note.resolved_by = viewer.user_id if body.resolved else None
    await session.flush()
    await _announce(session, viewer, file, track)
    return await _threads(session, viewer, track)


async def remove(session: AsyncSession, viewer: Viewer, key: str, note_id: uuid.UUID) -> list[NoteOut]:
    """Delete a note with the answers to it. Its author may; so may anybody with an account once it is resolved."""
    file, track, note = await _to_change(session, viewer, key, note_id)
    if note.resolved_at is None or viewer.reviewer_id is not None:
        _require_author(viewer, note)
    for condition in (CaptionNote.parent_id == note.id, CaptionNote.id == note.id):
        await session.execute(delete(CaptionNote).where(condition).execution_options(synchronize_session="fetch"))
    await _announce(session, viewer, file, track)
    return await _threads(session, viewer, track)


def _require_author(viewer: Viewer, note: CaptionNote) -> None:
    if not _is_author(viewer, note):
        raise Forbidden


def _is_author(viewer: Viewer, note: CaptionNote) -> bool:
    """A reviewer is not the person whose link they opened."""
    if viewer.reviewer_id is not None:
        return is_same_person(viewer.reviewer_id, note.reviewer_id)
    return is_same_person(viewer.user_id, note.user_id)


async def _to_change(
    session: AsyncSession, viewer: Viewer, key: str, note_id: uuid.UUID
) -> tuple[File, CaptionTrack, CaptionNote]:
    tracks = await find_tracks(session, viewer, key, hold=True)
    note = await session.get(CaptionNote, note_id)
    track = None if note is None else next((each for each in tracks.tracks if each.id == note.track_id), None)
    if note is None or track is None:
        raise NotFound(NO_NOTE)
    return tracks.file, track, note


async def _note(session: AsyncSession, track: CaptionTrack, note_id: uuid.UUID) -> CaptionNote:
    note = await session.get(CaptionNote, note_id)
    if note is None or note.track_id != track.id:
        raise NotFound(NO_NOTE)
    return note


async def _count(session: AsyncSession, track: CaptionTrack) -> int:
    statement = select(func.count()).select_from(CaptionNote).where(CaptionNote.track_id == track.id)
    return await session.scalar(statement) or 0


async def _announce(
    session: AsyncSession, viewer: Viewer, file: File, track: CaptionTrack, *, is_new: bool = False
) -> None:
    """Let everybody's pages fetch the notes. A new note is news for everybody but its author."""
    audience = await audience_of(session, file)
    child = child_of(track.language)
    silent = event(Topic.NOTE, Action.CHANGED, slug=file.slug, name=file.name, child=child)
    if not is_new:
        add_event(session, Notice(audience, silent))
        return
    what = SUPPORT if viewer.admin_id is not None else await _author_name(session, viewer.author)
    news = event(Topic.NOTE, Action.ADDED, what=what, slug=file.slug, name=file.name, child=child)
    others = tuple(each for each in audience.user_ids if not is_same_person(each, viewer.author.user_id))
    mine = tuple(each for each in audience.user_ids if is_same_person(each, viewer.author.user_id))
    add_event(session, Notice(Audience(others, audience.team_id), news))
    add_event(session, Notice(Audience(mine, audience.team_id), silent))


async def _author_name(session: AsyncSession, author: Author) -> str:
    if author.reviewer_id is not None:
        return (await session.get_one(Reviewer, author.reviewer_id)).name
    return (await session.get_one(User, author.user_id)).name


async def _threads(session: AsyncSession, viewer: Viewer, track: CaptionTrack) -> list[NoteOut]:
    statement = (
        select(CaptionNote)
        .where(CaptionNote.track_id == track.id)
        .order_by(CaptionNote.start_ms, CaptionNote.created_at, CaptionNote.id)
        .execution_options(populate_existing=True)
    )
    rows = (await session.scalars(statement)).all()
    names = await _names(session, rows)
    present = await _present(session, track, rows)
    replies: dict[uuid.UUID, list[ReplyOut]] = defaultdict(list)
    for row in rows:
        if row.parent_id is not None:
            replies[row.parent_id].append(ReplyOut(**_note_fields(viewer, row, names)))
    return [
        NoteOut(
            **_note_fields(viewer, row, names),
            line=row.line_id if row.line_id in present else None,
            line_text=row.line_text,
            start_ms=row.start_ms,
            end_ms=row.end_ms,
            resolved_at=row.resolved_at,
            resolved_by=None if row.resolved_by is None else names.get(row.resolved_by),
            replies=replies[row.id],
        )
        for row in rows
        if row.parent_id is None
    ]


def _note_fields(viewer: Viewer, row: CaptionNote, names: Mapping[uuid.UUID, str]) -> dict[str, Any]:
    known = names.get(row.reviewer_id or row.user_id or NOBODY)
    return {
        "id": row.id,
        "text": row.text,
        "by": SUPPORT if row.as_support else known,
        "is_guest": row.reviewer_id is not None,
        "is_you": not row.as_support and _is_author(viewer, row),
        "at": row.created_at,
        "edited_at": row.edited_at,
    }


async def _names(session: AsyncSession, rows: Sequence[CaptionNote]) -> dict[uuid.UUID, str]:
    people = {each for row in rows for each in (row.user_id, row.resolved_by) if each is not None}
    reviewers = {row.reviewer_id for row in rows if row.reviewer_id is not None}
    names: dict[uuid.UUID, str] = {}
    for table, ids in ((User, people), (Reviewer, reviewers)):
        if ids:
            statement = select(table.id, table.name).where(in_list(session, table.id, list(ids)))
            names |= dict((await session.execute(statement)).tuples().all())
    return names


async def _present(session: AsyncSession, track: CaptionTrack, rows: Sequence[CaptionNote]) -> set[uuid.UUID]:
    """The lines with notes that are still there."""
    ids = list({row.line_id for row in rows})
    if not ids:
        return set()
    statement = select(CaptionLineRow.id).where(
        in_list(session, CaptionLineRow.id, ids), CaptionLineRow.track_id == track.id
    )
    return set((await session.scalars(statement)).all())
