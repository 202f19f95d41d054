"""Every mail that the product sends, as the outbox carries it. Each kind has a template in English and Icelandic."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Mail:
    """`to` is the address, `locale` the language (`en` or `is`), `name` how to address the person (may be empty)."""

    kind: ClassVar[str]
    to: str
    locale: str
    name: str

    def payload(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class VerifyEmail(Mail):
    kind = "verify_email"
    link: str
    hours: int


@dataclass(frozen=True, slots=True)
class EmailChangeRequested(Mail):
    """To the old address, which stays until the new one is verified."""

    kind = "email_change_requested"
    new_email: str


@dataclass(frozen=True, slots=True)
class ResetPassword(Mail):
    kind = "reset_password"
    link: str
    minutes: int


@dataclass(frozen=True, slots=True)
class PasswordChanged(Mail):
    """`is_gone`: passkeys alone sign in from now on."""

    kind = "password_changed"
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class IdentityLinked(Mail):
    """`provider` is its name: from now on it signs in to the account."""

    kind = "identity_linked"
    provider: str


@dataclass(frozen=True, slots=True)
class PasskeyAdded(Mail):
    """`passkey` is the name that its owner gave it: from now on it signs in to the account."""

    kind = "passkey_added"
    passkey: str


@dataclass(frozen=True, slots=True)
class SecondFactorChanged(Mail):
    """`is_on`: sign-ins with the password ask for a code from now on; otherwise they no longer do."""

    kind = "second_factor_changed"
    is_on: bool


@dataclass(frozen=True, slots=True)
class AccountDeleted(Mail):
    """`until` is a date in words: until then somebody can restore the account."""

    kind = "account_deleted"
    until: str


@dataclass(frozen=True, slots=True)
class TeamInvitation(Mail):
    kind = "team_invitation"
    inviter: str
    team: str
    role: str
    link: str
    days: int


@dataclass(frozen=True, slots=True)
class RemovedFromTeam(Mail):
    kind = "removed_from_team"
    team: str


@dataclass(frozen=True, slots=True)
class TeamDeleted(Mail):
    """To every other member. `days`: so long an owner can restore it."""

    kind = "team_deleted"
    team: str
    days: int


@dataclass(frozen=True, slots=True)
class Welcome(Mail):
    """For an account that an administrator made: `link` leads to the choice of a password."""

    kind = "welcome"
    link: str
    minutes: int


@dataclass(frozen=True, slots=True)
class PaymentFailed(Mail):
    kind = "payment_failed"
    amount: str
    link: str


@dataclass(frozen=True, slots=True)
class WebhookFailing(Mail):
    """`host` is that of the endpoint, `link` the page that shows it."""

    kind = "webhook_failing"
    host: str
    link: str


@dataclass(frozen=True, slots=True)
class WebhookTurnedOff(Mail):
    kind = "webhook_turned_off"
    host: str
    link: str


@dataclass(frozen=True, slots=True)
class Trial(Mail):
    """What `sagascript mail test` sends."""

    kind = "trial"
