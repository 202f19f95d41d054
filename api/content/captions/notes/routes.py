"""Notes on the lines of captions."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.content.captions.chosen_track import Language
from api.content.captions.notes import service
from api.content.captions.notes.schemas import NewNote, NoteChange, NoteOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/files/captions", tags=["captions"])


@router.get("/{key}/notes", responses=error_responses(401, 404, 422))
async def list_notes(
    key: str, viewer: SignedIn, session: ReadSession, language: Language = None
) -> Data[list[NoteOut]]:
    """The threads of a track in order of time, those of deleted lines too."""
    return Data(data=await service.notes(session, viewer, key, language))


@router.post("/{key}/notes", status_code=201, responses=error_responses(401, 404, 409, 419, 422))
async def add_note(key: str, body: NewNote, viewer: SignedIn, session: WriteSession) -> Data[list[NoteOut]]:
    """Write about a line, or answer. Everybody else who sees the file is told."""
    return Data(data=await service.add(session, viewer, key, body))


@router.put("/{key}/notes/{note_id}", responses=error_responses(401, 404, 419, 422))
async def change_note(
    key: str, note_id: uuid.UUID, body: NoteChange, viewer: SignedIn, session: WriteSession
) -> Data[list[NoteOut]]:
    """Correct a note of one's own, or resolve or reopen a thread."""
    return Data(data=await service.change(session, viewer, key, note_id, body))


@router.delete("/{key}/notes/{note_id}", responses=error_responses(401, 404, 419))
async def delete_note(key: str, note_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> Data[list[NoteOut]]:
    """Delete a note of one's own, or a resolved thread."""
    return Data(data=await service.remove(session, viewer, key, note_id))
