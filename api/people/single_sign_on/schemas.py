from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, Field

from api.people.second_factor.limits import CODE_LENGTH_MAX
from api.people.single_sign_on.limits import CODE_MAX, PENDING_MAX, STATE_MAX
from api.people.users.schemas import UserOut
from api.platform.http.limits import PASSWORD_MAX


class ProviderChoice(BaseModel):
    """A way to sign in, as visitors see it."""

    slug: str
    name: str


class IdentityChange(BaseModel):
    """`password` of the account; empty where it has none."""

    password: str = Field("", max_length=PASSWORD_MAX)


class GoTo(BaseModel):
    """Where the page sends the browser."""

    url: str


class ProviderAnswer(BaseModel):
    """The parameters with which the provider sent the browser back."""

    state: str = Field(min_length=1, max_length=STATE_MAX)
    code: str | None = Field(None, max_length=CODE_MAX)
    iss: str | None = Field(None, max_length=CODE_MAX)
    error: str | None = Field(None, max_length=CODE_MAX)
    error_description: str | None = Field(None, max_length=CODE_MAX)

    def reasons(self) -> dict[str, str | None]:
        """Why the provider sent nobody, in its own words."""
        return {"error": self.error, "error_description": self.error_description}


class SignInStep(StrEnum):
    """What comes of a provider's answer.

    `password`: its address has an account here, so whoever knows that account's password may link the two. `restore`:
    the account is deleted, and may be taken back.
    """

    DONE = "done"
    PASSWORD = "password"
    RESTORE = "restore"


class SignInResult(BaseModel):
    """`user` when `done`. Otherwise `token` goes on with the sign-in, and `email` and `until` say what it is about."""

    step: SignInStep
    user: UserOut | None = None
    token: str | None = None
    email: str | None = None
    until: datetime | None = None


class SignInProof(BaseModel):
    """What a pending sign-in waits for: the password of the account, with a code where it has a second
    factor, or the wish to restore it."""

    token: str = Field(max_length=PENDING_MAX)
    password: str | None = Field(None, max_length=PASSWORD_MAX)
    code: str | None = Field(None, max_length=CODE_LENGTH_MAX)
    restore: bool = False


class IdentityOut(BaseModel):
    """A provider's person that signs in to this account. `is_on`: the provider is there and on."""

    id: uuid.UUID
    provider: str
    name: str
    email: str | None
    created_at: datetime
    used_at: datetime
    is_on: bool


class IdentitiesOut(BaseModel):
    """`linked` to this account, and providers that `could_be`."""

    linked: list[IdentityOut]
    could_be: list[ProviderChoice]
