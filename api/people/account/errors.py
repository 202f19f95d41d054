"""Refusals of account calls that pages treat in a way of their own."""

from __future__ import annotations

from datetime import date

from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message, Wording


class LinkExpired(Invalid):
    """For links in mails. The page offers to send another one."""

    code = "link_expired"
    message = Message(
        "account.link_expired", "This link no longer works. It was used already, or it is too old: ask for a new one."
    )


class AccountInBin(Conflict):
    """The password was right. The page offers to restore the account."""

    code = "account_deleted"

    def __init__(self, until: date) -> None:
        super().__init__(
            Message(
                "account.in_bin",
                "This account was deleted. You can restore it, with everything in it, until {until}: "
                "sign in and choose to restore it.",
                until=until,
            )
        )


class SignInAgain(Conflict):
    """The account has no password to ask for. The page offers to sign in again."""

    code = "sign_in_again"
    message = Message(
        "account.sign_in_again",
        "Your account has no password, so sign in again to show that it is you. You then have ten minutes.",
    )


class LastWay(Conflict):
    code = "last_way"
    message = Message(
        "account.last_way",
        "This is the only way into your account. Set a password first: choose “Forgot your password?” when signed out.",
    )


class Suspended(Invalid):
    """An organisation has turned the account off."""

    code = "account_suspended"
    message = Message(
        "account.suspended",
        "Your organisation has turned this account off. Ask whoever looks after accounts there.",
    )


class MustUseProvider(Invalid):
    """The page points at the provider's button."""

    code = "must_use_provider"


MUST_USE = Wording("account.must_use", "People of {domain} sign in with {provider}. Use its button.")
WRONG_PASSWORD = Message("account.wrong_password", "This is not your password.")
