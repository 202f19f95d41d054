from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel, Field

from api.people.providers.provider import Issuer, Provider


class ProviderIn(BaseModel):
    """`client_secret`: None keeps the one that is stored; an empty one makes it a public client."""

    provider: Provider
    client_secret: str | None = Field(None, max_length=1_000)
    is_enabled: bool = True


class ProviderOut(BaseModel):
    """`is_configured`: it stands in the settings of the installation, and no page changes it. `people` sign in with it.

    `provisioned` counts the people whom it keeps up to date by SCIM, with the token of these times.
    `team_names`: of the teams that its groups lead to, without those that are gone. The addresses are those that the
    provider wants to know of us.
    """

    provider: Provider
    has_secret: bool
    is_enabled: bool
    is_configured: bool
    people: int
    team_names: dict[uuid.UUID, str]
    redirect_uri: str
    post_logout_redirect_uri: str
    back_channel_logout_uri: str
    front_channel_logout_uri: str
    provisioning_url: str
    provisioned: int
    token_made_at: datetime | None
    token_used_at: datetime | None


class ProvisioningTokenOut(BaseModel):
    """Shown once."""

    token: str


class IssuerIn(BaseModel):
    issuer: Issuer


class IssuerOut(BaseModel):
    """What a provider publishes about itself. `ends_session`: people can be signed out there too."""

    issuer: str
    algorithms: list[str]
    names_issuer: bool
    ends_session: bool
    has_userinfo: bool
