"""Entries of the account log about a file."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.audit.actions import AuditAction
from api.people.audit.service import Acting, record, record_for


def record_of_file(
    session: AsyncSession, viewer: Acting | None, action: AuditAction, file: File, **details: Any
) -> None:
    """Add an entry to the log of whoever has the file. `viewer` is None for what happens by itself."""
    about: dict[str, Any] = {
        "subject_id": file.user_id,
        "team_id": file.team_id,
        "object_kind": "file",
        "object_id": file.slug,
        "name": file.name,
    }
    if viewer is None:
        record(session, action, actor_id=None, **about, **details)
    else:
        record_for(session, viewer, action, **about, **details)
