"""An identity provider as an administrator describes it: the one form for the setting, the database and the page."""

from __future__ import annotations

import uuid
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from api.people.auth.emails import domain_of
from api.people.auth.schemas import Domain
from api.people.teams.models import TeamRole
from api.platform.http.text import CLEAN_LINE
from api.platform.settings import LOOPBACK
from cluster.wording.message import Message

SLUG_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
URL_MAX = 500
LIST_MAX = 100
GROUP_MAX = 300

NO_ISSUER = Message(
    "providers.no_issuer",
    "Write the issuer as the provider states it, such as https://id.example.com/realms/staff. It needs https.",
)
NO_DOMAINS = Message("providers.no_domains", "Name the domains whose people must use this provider.")


def _issuer(text: str) -> str:
    parts = urlsplit(text)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not (is_safe and parts.hostname) or parts.query or parts.fragment or parts.username is not None:
        raise ValueError(NO_ISSUER)
    return text


Issuer = Annotated[str, StringConstraints(max_length=URL_MAX), AfterValidator(_issuer)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=GROUP_MAX), CLEAN_LINE]


class TeamGroup(BaseModel):
    """People of `group` are members of a team, as long as they are in the group."""

    model_config = ConfigDict(extra="forbid")

    group: Line
    team_id: uuid.UUID
    role: TeamRole = TeamRole.EDITOR


class Provider(BaseModel):
    """`slug` is its name in addresses. Without a secret it is a public client, which PKCE protects alone.

    `domains`: only addresses of these may sign in with it; any when empty. `is_required`: people of these domains
    cannot sign in with a password. `makes_accounts`: who has no account gets one. `trusts_email`: addresses count as
    confirmed although the provider does not say so. `ends_session`: who signs out here signs out there.
    `admin_groups`: whoever is in one of these is an administrator here, and whoever is in none is not.
    """

    model_config = ConfigDict(extra="forbid")

    slug: str = Field(pattern=SLUG_PATTERN)
    name: Annotated[str, StringConstraints(min_length=1, max_length=60), CLEAN_LINE]
    issuer: Issuer
    client_id: Line
    scopes: Annotated[str, StringConstraints(max_length=300), CLEAN_LINE] = "openid email profile"
    domains: list[Domain] = Field(default_factory=list, max_length=LIST_MAX)
    is_required: bool = False
    makes_accounts: bool = True
    trusts_email: bool = False
    ends_session: bool = True
    groups_claim: Annotated[str, StringConstraints(min_length=1, max_length=100), CLEAN_LINE] = "groups"
    admin_groups: list[Line] = Field(default_factory=list, max_length=LIST_MAX)
    team_groups: list[TeamGroup] = Field(default_factory=list, max_length=LIST_MAX)

    @model_validator(mode="after")
    def _names_whom_it_binds(self) -> Provider:
        if self.is_required and not self.domains:
            raise ValueError(NO_DOMAINS)
        return self

    def serves(self, email: str) -> bool:
        """Whether an address may sign in with it."""
        return not self.domains or domain_of(email) in self.domains

    def binds(self, email: str) -> bool:
        """Whether an address has to."""
        return self.is_required and domain_of(email) in self.domains


class ConfiguredProvider(Provider):
    """An entry of `SAGASCRIPT_IDENTITY_PROVIDERS`."""

    client_secret: str | None = Field(None, max_length=1_000)
