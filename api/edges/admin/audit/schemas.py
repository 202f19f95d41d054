from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

from api.people.audit.queries import Entry, LogFilter
from api.people.audit.sentences import sentence
from api.platform.http.downloads.csv_export import CsvPageQuery
from api.platform.http.limits import EMAIL_MAX
from api.platform.http.text import CLEAN_LINE

Address = Annotated[str, StringConstraints(max_length=EMAIL_MAX, to_lower=True), CLEAN_LINE]


class AuditQuery(CsvPageQuery):
    """`actor` and `subject` are the beginning of an e-mail address, `action` a whole action or its first word."""

    actor: Address = ""
    subject: Address = ""
    actor_id: uuid.UUID | None = None
    subject_id: uuid.UUID | None = None
    team_id: uuid.UUID | None = None
    action: list[Annotated[str, StringConstraints(max_length=60, pattern=r"^[a-z_]+(\.[a-z_]+)?$")]] = Field(
        default_factory=list, max_length=20
    )
    since: datetime | None = None
    until: datetime | None = None

    def wanted(self) -> LogFilter:
        return LogFilter(
            actor_id=self.actor_id,
            subject_id=self.subject_id,
            team_id=self.team_id,
            actor=self.actor,
            subject=self.subject,
            actions=tuple(self.action),
            since=self.since,
            until=self.until,
        )


class PersonRef(BaseModel):
    """Whom an entry names. `name` is None once the account is gone."""

    id: uuid.UUID
    name: str | None
    email: str | None


class AuditTeam(BaseModel):
    id: uuid.UUID
    name: str | None


class AuditEntryOut(BaseModel):
    """`actor` is None for what the system did by itself."""

    id: uuid.UUID
    at: datetime
    action: str
    sentence: str
    actor: PersonRef | None
    subject: PersonRef | None
    team: AuditTeam | None
    object_kind: str | None
    object_id: str | None
    details: dict[str, Any]
    network: str | None


def describe(row: Entry) -> AuditEntryOut:
    entry, actor_name, subject_name, subject_email, team_name = row
    return AuditEntryOut(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        sentence=sentence(entry.action, entry.details, entry.object_kind),
        actor=PersonRef(id=entry.actor_id, name=actor_name, email=entry.actor_email) if entry.actor_id else None,
        subject=PersonRef(id=entry.subject_id, name=subject_name, email=subject_email) if entry.subject_id else None,
        team=AuditTeam(id=entry.team_id, name=team_name) if entry.team_id else None,
        object_kind=entry.object_kind,
        object_id=entry.object_id,
        details=entry.details,
        network=entry.network,
    )
