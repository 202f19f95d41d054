from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from api.people.auth.schemas import Domain, Email
from api.people.teams.models import TeamRole
from api.people.users.schemas import TeamOut
from api.platform.http.limits import LANGUAGE_CODE_MAX, TEAM_NAME_MAX, TOKEN_MAX
from api.platform.http.text import CLEAN_LINE
from cluster.wording.message import Message
from pipelines.languages import AUTO, is_known

FILES_AT_ONCE = 500
DOMAINS_MAX = 50
SESSION_HOURS_MAX = 365 * 24
KEEP_DAYS_MAX = 3650
UNKNOWN_LANGUAGE = Message(
    "membership.unknown_language", "This language is not in the list. Leave it empty for the installation's own."
)


def _language_code(code: str | None) -> str | None:
    if not code:
        return None
    if code != AUTO and not is_known(code):
        raise ValueError(UNKNOWN_LANGUAGE)
    return code


TeamName = Annotated[str, StringConstraints(min_length=1, max_length=TEAM_NAME_MAX), CLEAN_LINE]
UploadLanguage = Annotated[str | None, Field(max_length=LANGUAGE_CODE_MAX), AfterValidator(_language_code)]
Token = Annotated[str, StringConstraints(min_length=1, max_length=TOKEN_MAX)]


class TeamIn(BaseModel):
    """`language` is the one that pages offer first for uploads into the team; empty for the installation's own."""

    name: TeamName
    language: UploadLanguage = None


class TeamChange(BaseModel):
    """Fields that are left out stay as they are. The rules are those of `TeamRules`; null ends one."""

    name: TeamName | None = None
    language: UploadLanguage = None
    requires_factor: bool | None = None
    session_hours: int | None = Field(None, ge=1, le=SESSION_HOURS_MAX)
    email_domains: list[Domain] | None = Field(None, max_length=DOMAINS_MAX)
    keep_days: int | None = Field(None, ge=1, le=KEEP_DAYS_MAX)


class TeamListed(TeamOut):
    """`restorable_until` is set for a deleted team, which its owners may restore until then."""

    restorable_until: datetime | None


class TeamMember(BaseModel):
    user_id: uuid.UUID
    name: str
    email: str
    role: TeamRole
    is_payer: bool
    joined_at: datetime


class InvitationOut(BaseModel):
    """An open invitation. `may_change`: whether the viewer may send it again or withdraw it."""

    id: uuid.UUID
    email: str
    role: TeamRole
    inviter: str | None
    sent_at: datetime
    expires_at: datetime
    is_expired: bool
    may_change: bool


class TeamRules(BaseModel):
    """What the owners of a team ask of its members, and of its files.

    `requires_factor`: members with a password need an authenticator app. `session_hours`: members sign in again after
    so many hours. `email_domains`: only people with such an address may join; anybody when empty. `keep_days`: files
    go to the bin after so many days in the team.
    """

    requires_factor: bool
    session_hours: int | None
    email_domains: list[str]
    keep_days: int | None


class TeamDetail(TeamOut):
    """A team with its people. `roles_to_give` are those that the viewer may give others; empty for a team's viewers."""

    rules: TeamRules
    created_at: datetime
    people: list[TeamMember]
    invitations: list[InvitationOut]
    roles_to_give: list[TeamRole]


class RoleChange(BaseModel):
    role: TeamRole


class NewInvitation(BaseModel):
    email: Email
    role: TeamRole = TeamRole.EDITOR


class InvitationToken(BaseModel):
    """The secret from the link in the mail."""

    token: Token


class InvitationView(BaseModel):
    """What an invitation offers. `has_account`: whether its address has an account, so that a page asks for the right
    thing."""

    team: str
    inviter: str | None
    email: str
    role: TeamRole
    expires_at: datetime
    has_account: bool


class TeamFiles(BaseModel):
    ids: list[uuid.UUID] = Field(min_length=1, max_length=FILES_AT_ONCE)


class MovedFiles(BaseModel):
    """The number of files that changed their place. Those that were there already do not count."""

    moved: int


class TeamLogEntry(BaseModel):
    """One line of a team's account log. `by` names who acted."""

    id: uuid.UUID
    at: datetime
    action: str
    sentence: str
    by: str
