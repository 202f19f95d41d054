from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel, Field

from api.people.auth.schemas import Email, Login, NewPassword
from api.people.second_factor.limits import CODE_LENGTH_MAX
from api.platform.http.limits import EMAIL_MAX, PASSWORD_MAX

TOKEN_MAX = 200
HASH_MAX = 500


class SignIn(Login):
    """`restore` takes a deleted account back."""

    restore: bool = False


class ForgotPassword(BaseModel):
    email: Email


class ResetRequest(NewPassword):
    """`code`: a recovery code, for an account whose password was removed."""

    token: str = Field(min_length=1, max_length=TOKEN_MAX)
    email: str = Field(max_length=EMAIL_MAX)
    code: str = Field("", max_length=CODE_LENGTH_MAX)


class PasswordChange(NewPassword):
    password_old: str = Field(max_length=PASSWORD_MAX)


class VerificationLink(BaseModel):
    """`id` is the first part of the link's path after `/email/verification/`, `hash` the rest."""

    id: str = Field(max_length=TOKEN_MAX)
    hash: str = Field(max_length=HASH_MAX)


class VerifiedOut(BaseModel):
    email: str


class EmailChange(BaseModel):
    email: Email
    password: str = Field(max_length=PASSWORD_MAX)


class Deletion(BaseModel):
    """`confirmation` is the account's email address, typed by hand."""

    password: str = Field(max_length=PASSWORD_MAX)
    confirmation: str = Field(max_length=EMAIL_MAX)


class DeletedOut(BaseModel):
    """`restore_until`: until then the account can be restored by signing in."""

    restore_until: datetime


class DeviceOut(BaseModel):
    """A browser in which the person is signed in. `network` is a shortened address, empty for old sessions.

    `last_used_at` is exact to a few minutes.
    """

    id: uuid.UUID
    browser: str | None
    system: str | None
    network: str
    created_at: datetime
    last_used_at: datetime
    is_current: bool


class SignedOut(BaseModel):
    count: int


class BrowserKey(BaseModel):
    """`key`: 256 bits in base64, the same for all browsers of a person."""

    key: str
